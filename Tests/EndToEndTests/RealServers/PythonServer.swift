import Foundation
import TestSupport

/// A short Python program that serves connections of 127.0.0.1 in a way that no proper server does.
final class PythonServer: Sendable {
    static var isInstalled: Bool { PythonFormServer.isInstalled && NginxServer.canServeTLS }
    /// Whether Python has the package h2, too.
    static let canSpeakHTTP2: Bool = {
        guard isInstalled, let program = PythonFormServer.program else { return false }
        return (try? SpawnedProgram.run([program.path(percentEncoded: false), "-c", "import h2.connection"])) == 0
    }()

    let port: UInt16
    private let server: SpawnedServer

    /// - Parameters:
    ///   - body: defines `serve(connection)`, called on a thread of its own for each connection.
    ///   - arguments: what the program finds in `sys.argv[2:]`.
    init(_ body: String, arguments: [String] = []) throws {
        guard let program = PythonFormServer.program else { throw SpawnedServer.Failure(description: "no python3") }
        port = try NginxServer.freePort()
        let script = """
            import os, select, socket, ssl, struct, sys, threading
            \(body)
            listener = socket.create_server(('127.0.0.1', int(sys.argv[1])), backlog=64)
            print('ready', flush=True)
            for _ in range(10000):
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()
            """
        server = try SpawnedServer(
            [program.path(percentEncoded: false), "-c", script, "\(port)"] + arguments, readyAt: "ready")
    }

    deinit { server.stop() }
}

/// A certificate for 127.0.0.1, with its key.
final class TestCertificate: Sendable {
    let certificate: URL
    let key: URL
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "certificate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appending(path: "certificate.pem")
        key = folder.appending(path: "key.pem")
        let status = try SpawnedProgram.run([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", key.path, "-out", certificate.path, "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
            "subjectAltName=IP:127.0.0.1",
        ])
        guard status == 0 else { throw SpawnedServer.Failure(description: "openssl made no certificate") }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
