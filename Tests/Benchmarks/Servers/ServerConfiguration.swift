import Foundation

/// The text of nginx's configuration.
struct ServerConfiguration {
    let folder: URL
    let ports: [LineProtocol: UInt16]

    var text: String {
        """
        worker_processes 1;
        \(user)
        pid \(folder.path)/nginx.pid;
        error_log \(folder.path)/error.log;
        events { worker_connections 1024; }
        http {
            access_log off;
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
        }

        """
    }

    /// One that is not started by root cannot change its user, and says so with a warning.
    private var user: String { geteuid() == 0 ? "user root;" : "" }

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
                    location /put/ { dav_methods PUT; }
                }
            """
    }
}
