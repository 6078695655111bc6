import Foundation

/// The text of nginx's configuration.
struct ServerConfiguration {
    let folder: URL
    let ports: [LineProtocol: UInt16]
    let isLogged: Bool
    /// How many hosts there are beside 127.0.0.1, which close each connection after one response.
    var hostCount = 0

    /// The address of one of those hosts.
    static func host(_ number: Int) -> String { "127.0.\(1 + number / 250).\(1 + number % 250)" }

    var text: String {
        """
        worker_processes 1;
        \(user)
        pid \(folder.path)/nginx.pid;
        error_log \(folder.path)/error.log;
        events { worker_connections \(1024 + 2 * hostCount); }
        http {
            log_format requests '$arg_run $connection $connection_requests $ssl_session_reused $status';
            access_log \(isLogged ? "\(folder.path)/access.log requests" : "off");
            sendfile on;
            tcp_nopush on;
            keepalive_requests 1000000;
            keepalive_timeout 1h;
            client_max_body_size 0;
            client_body_temp_path \(folder.path)/body;
            proxy_temp_path \(folder.path)/proxy;
            fastcgi_temp_path \(folder.path)/fastcgi;
            uwsgi_temp_path \(folder.path)/uwsgi;
            scgi_temp_path \(folder.path)/scgi;
            open_file_cache max=1000;
            ssl_certificate \(folder.path)/certificate.pem;
            ssl_certificate_key \(folder.path)/key.pem;
            ssl_session_cache shared:sessions:1m;
            http2_max_concurrent_streams 128;
        \(LineProtocol.allCases.map(server).joined(separator: "\n"))
        \(hosts)
        }

        """
    }

    /// One that is not started by root cannot change its user, and says so with a warning.
    private var user: String { geteuid() == 0 ? "user root;" : "" }

    private var hosts: String {
        guard hostCount > 0 else { return "" }
        let addresses = (0..<hostCount).map { "listen \(Self.host($0)):\(ports[.plain] ?? 0) backlog=128;" }
        return "server { \(addresses.joined(separator: " ")) root \(folder.path)/tree; keepalive_timeout 0; }"
    }

    private func server(_ kind: LineProtocol) -> String {
        let suffix =
            switch kind {
            case .plain: ""
            case .secure: " ssl"
            case .http2: " ssl http2"
            }
        return """
                server {
                    listen 127.0.0.1:\(ports[kind] ?? 0)\(suffix) backlog=1024;
                    root \(folder.path)/tree;
                    location = /status { stub_status; }
                    location /many/ { rewrite ^ /one break; }
                    location /put/ { dav_methods PUT; }
                }
            """
    }
}
