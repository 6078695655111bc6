import Foundation
import TestSupport

/// lighttpd on 127.0.0.1, with directives of the test's. Of the servers that Debian has, the one that knows Digest with
/// SHA-256.
final class LighttpdServer {
    private static let program = SpawnedServer.program(["/usr/sbin/lighttpd", "/usr/local/sbin/lighttpd"])

    static var isInstalled: Bool { program != nil }

    let port: UInt16
    private let folder: TemporaryFolder
    private let server: SpawnedServer

    /// Starts a server; `FOLDER` in the directives is where the files are.
    init(directives: String, files: [String: String] = [:]) throws {
        guard let program = Self.program else { throw SpawnedServer.Failure(description: "lighttpd is not installed") }
        folder = try TemporaryFolder()
        port = try NginxServer.freePort()
        for (name, text) in files { try folder.write(Data(text.utf8), to: name) }
        let path = folder.url.path(percentEncoded: false)
        let configuration = """
            server.modules = ("mod_auth", "mod_authn_file", "mod_proxy")
            server.document-root = "\(path)"
            server.bind = "127.0.0.1"
            server.port = \(port)
            server.upload-dirs = ("\(path)")
            server.max-keep-alive-requests = 10000
            \(directives.replacingOccurrences(of: "FOLDER", with: path))
            """
        try folder.write(Data(configuration.utf8), to: "lighttpd.conf")
        server = try SpawnedServer([program, "-D", "-f", "\(path)/lighttpd.conf"], readyAt: "server started")
    }

    func stop() { server.stop() }
}
