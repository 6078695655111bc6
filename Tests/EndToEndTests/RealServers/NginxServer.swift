import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport

/// nginx on 127.0.0.1, serving one folder, with an access log that tells method, path, status and connection.
final class NginxServer {
    struct Failure: Error {
        let description: String
    }

    /// One line of the access log.
    struct LogEntry {
        let method: String
        let path: String
        let status: Int
        let connection: String
    }

    /// Where the program is; `nil` when it is not installed.
    static let program: URL? = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .map { URL(filePath: $0) }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

    static var isInstalled: Bool { program != nil }
    /// Whether it can be given a certificate, too.
    static var canServeTLS: Bool { isInstalled && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

    let port: UInt16
    /// The certificate to trust, of a server that speaks HTTP/2 over TLS.
    var certificate: URL? { identity?.certificate }
    private let identity: TestCertificate?
    private let folder: URL
    private var pidFile: URL { folder.appending(path: "nginx.pid") }
    private var logFile: URL { folder.appending(path: "access.log") }

    /// Starts a server for the files below `root`. `directives` go into its `location /`, `serverDirectives` around
    /// that.
    ///
    /// - Parameters:
    ///   - isSecure: whether it speaks HTTP/2 over TLS, with a certificate of its own.
    ///   - protocols: what it speaks over TLS, in the words of its `listen`.
    ///   - keepAliveRequests: after how many requests it closes a connection, over HTTP/2 with GOAWAY.
    init(
        root: URL, directives: String = "", isSecure: Bool = false, protocols: String = "http2",
        serverDirectives: String = "", keepAliveRequests: Int = 1_000_000
    ) throws {
        guard let program = Self.program else { throw Failure(description: "nginx is not installed") }
        folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        port = try Self.freePort()
        let pair = isSecure ? try TestCertificate() : nil
        identity = pair
        let secureDirectives =
            pair.map { "ssl_certificate \($0.certificate.path); ssl_certificate_key \($0.key.path);" } ?? ""
        let configuration = """
            worker_processes 1;
            user root;
            pid \(folder.path)/nginx.pid;
            error_log \(folder.path)/error.log;
            events { worker_connections 1024; }
            http {
                log_format requests '$request_method $status $connection $request_uri';
                access_log \(folder.path)/access.log requests;
                client_body_temp_path \(folder.path)/body;
                proxy_temp_path \(folder.path)/proxy;
                fastcgi_temp_path \(folder.path)/fastcgi;
                uwsgi_temp_path \(folder.path)/uwsgi;
                scgi_temp_path \(folder.path)/scgi;
                keepalive_requests \(keepAliveRequests);
                keepalive_timeout 1h;
                server {
                    listen 127.0.0.1:\(port)\(isSecure ? " ssl \(protocols)" : "");
                    \(secureDirectives) \(serverDirectives)
                    location / { root "\(root.path)"; \(directives) }
                }
            }
            """
        let file = folder.appending(path: "nginx.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        // It goes into the background only after it has bound its port: when this command has ended, it is ready.
        let errors = folder.appending(path: "error.log")
        let status = try SpawnedProgram.run([program.path, "-c", file.path, "-e", errors.path])
        guard status == 0 else {
            let reason = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw Failure(description: "nginx did not start: \(reason)")
        }
    }

    /// Ends the server and removes its folder.
    func stop() {
        if let text = try? String(contentsOf: pidFile, encoding: .utf8),
            let pid = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            // Before nginx does it: removing the folder gives up where a file goes from under it.
            try? FileManager.default.removeItem(at: pidFile)
            kill(pid, SIGTERM)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String) -> URL {
        var components = URLComponents()
        components.scheme = certificate == nil ? "http" : "https"
        components.host = "127.0.0.1"
        components.port = Int(port)
        components.path = "/" + path
        return components.url ?? URL(filePath: "/")
    }

    /// What the server has answered, once it has noted `count` answers: it notes one after it was sent, so that a client
    /// can have it earlier.
    func log(count: Int) async throws -> [LogEntry] {
        _ = await eventually { (try? log().count) ?? 0 >= count }
        return try log()
    }

    /// What the server has noted so far.
    func log() throws -> [LogEntry] {
        try String(contentsOf: logFile, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
            guard parts.count == 4, let status = Int(parts[1]) else { return nil }
            return LogEntry(method: parts[0], path: parts[3], status: status, connection: parts[2])
        }
    }

    /// How many connections it has accepted for `count` requests, as far as the latest of them has been answered: nginx
    /// numbers them in order.
    func acceptedCount(for count: Int) async throws -> Int {
        let numbers = try await log(count: count).compactMap { Int($0.connection) }
        guard let first = numbers.min(), let last = numbers.max() else { return 0 }
        return last - first + 1
    }

    /// The ports that other servers of this process may be about to take.
    private static let givenPorts = Guarded(Set<UInt16>())

    /// A port that was free a moment ago; nginx cannot choose one itself.
    ///
    /// None of those that the system gives out for port 0, as to every `LoopbackServer` and every connection does:
    /// until nginx is there, one of them may have it.
    static func freePort() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<30_000)
            // Thirty servers out of ten thousand ports: some two would have the same in one run of twenty.
            let isNew = givenPorts.withLock { $0.insert(port).inserted }
            if isNew, (try? RawClient(port)) == nil { return port }
        }
        throw Failure(description: "no free port")
    }
}
