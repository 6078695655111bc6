import Foundation
import TestSupport

/// Caddy on 127.0.0.1 with TLS, which offers HTTP/2, and with directives of the test's.
final class CaddyServer {
    private static let program = SpawnedServer.program(["/usr/bin/caddy", "/usr/local/bin/caddy"])

    static var isInstalled: Bool { program != nil && NginxServer.canServeTLS }

    let port: UInt16
    let identity: TestCertificate
    private let folder: TemporaryFolder
    private let server: SpawnedServer

    init(directives: String) throws {
        guard let program = Self.program else { throw SpawnedServer.Failure(description: "caddy is not installed") }
        folder = try TemporaryFolder()
        port = try NginxServer.freePort()
        identity = try TestCertificate()
        let path = folder.url.path(percentEncoded: false)
        let configuration = """
            {
                auto_https off
                admin off
                storage file_system \(path)
            }
            https://127.0.0.1:\(port) {
                tls \(identity.certificate.path) \(identity.key.path)
                \(directives)
            }
            """
        try folder.write(Data(configuration.utf8), to: "Caddyfile")
        server = try SpawnedServer(
            // It keeps a copy of its configuration there.
            [
                "/usr/bin/env", "XDG_CONFIG_HOME=\(path)", program, "run", "--config", "\(path)/Caddyfile", "--adapter",
                "caddyfile",
            ],
            readyAt: "serving initial configuration")
    }

    func stop() { server.stop() }
}
