import Foundation
import TestSupport

/// Granian, an application server for Python, on 127.0.0.1. Over TLS it offers HTTP/2. Its application may answer
/// before the content has come.
final class GranianServer {
    private static let program: String? = {
        guard let program = PythonFormServer.program?.path(percentEncoded: false) else { return nil }
        return (try? SpawnedProgram.run([program, "-c", "import granian"])) == 0 ? program : nil
    }()

    static var isInstalled: Bool { program != nil && NginxServer.canServeTLS }

    let url: URL
    let identity: TestCertificate?
    private let folder: TemporaryFolder
    private let server: SpawnedServer

    /// Starts a server.
    ///
    /// - Parameter application: defines `app` as WSGI has it.
    init(application: String, isSecure: Bool) async throws {
        guard let program = Self.program else { throw SpawnedServer.Failure(description: "granian is not installed") }
        folder = try TemporaryFolder()
        try folder.write(application, to: "application.py")
        let port = try NginxServer.freePort()
        guard let url = URL(string: "\(isSecure ? "https" : "http")://127.0.0.1:\(port)/") else {
            throw URLError(.badURL)
        }
        self.url = url
        let pair = isSecure ? try TestCertificate() : nil
        identity = pair
        let certificate = pair.map { ["--ssl-certificate", $0.certificate.path, "--ssl-keyfile", $0.key.path] } ?? []
        server = try SpawnedServer(
            [
                program, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", "\(port)",
                "--working-dir", folder.path, "application:app",
            ] + certificate, readyAt: "Started worker-1")
        try await server.waitUntilOpen(port)
    }

    func stop() { server.stop() }
}
