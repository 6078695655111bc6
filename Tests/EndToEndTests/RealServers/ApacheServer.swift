import Foundation
import TestSupport

/// Apache httpd on 127.0.0.1, with directives of the test's: an origin server, a gateway or a proxy.
final class ApacheServer {
    private static let program = SpawnedServer.program(["/usr/sbin/apache2", "/usr/sbin/httpd"])
    private static let modules = "/usr/lib/apache2/modules"

    static var isInstalled: Bool { program != nil && FileManager.default.fileExists(atPath: modules) }
    /// Whether it can speak HTTP/2, which takes a certificate.
    static var canSpeakHTTP2: Bool {
        isInstalled && NginxServer.canServeTLS && FileManager.default.fileExists(atPath: "\(modules)/mod_http2.so")
    }

    let port: UInt16
    private let folder: TemporaryFolder
    private let server: SpawnedServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - files: files that the directives refer to, by names; `FOLDER` in the directives is where they are.
    ///   - moreModules: what the directives need beyond the usual modules.
    init(directives: String, files: [String: String] = [:], moreModules: [String] = []) throws {
        guard let program = Self.program else { throw SpawnedServer.Failure(description: "Apache is not installed") }
        folder = try TemporaryFolder()
        port = try NginxServer.freePort()
        for (name, text) in files { try folder.write(Data(text.utf8), to: name) }
        let path = folder.url.path(percentEncoded: false)
        let modules = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "auth_digest", "proxy",
            "proxy_http", "proxy_connect", "log_forensic",
        ]
        let loading = (modules + moreModules).map { "LoadModule \($0)_module \(Self.modules)/mod_\($0).so" }
        let configuration = """
            ServerRoot "\(path)"
            ServerName 127.0.0.1
            PidFile "\(path)/pid"
            DefaultRuntimeDir "\(path)"
            Listen 127.0.0.1:\(port)
            \(loading.joined(separator: "\n"))
            # Ignored unless the test runs as root, as which Apache would not serve.
            User www-data
            Group www-data
            ErrorLog /dev/stderr
            LogLevel notice
            ForensicLog "\(path)/requests.log"
            StartServers 1
            ServerLimit 2
            KeepAliveTimeout 60
            MaxKeepAliveRequests 0
            DocumentRoot "\(path)"
            \(directives.replacingOccurrences(of: "FOLDER", with: path))
            """
        try folder.write(Data(configuration.utf8), to: "httpd.conf")
        server = try SpawnedServer(
            [program, "-f", "\(path)/httpd.conf", "-DFOREGROUND"], readyAt: "resuming normal operations")
    }

    func stop() { server.stop() }

    /// The heads of all requests as they came in, tunnels' too: the request line and the fields, separated by `|`.
    func requests() throws -> [String] {
        try String(contentsOf: folder.file("requests.log"), encoding: .utf8).split(separator: "\n")
            // The end of each request is a line with a minus.
            .filter { $0.hasPrefix("+") }.map { String($0.drop { $0 != "|" }.dropFirst()) }
    }
}
