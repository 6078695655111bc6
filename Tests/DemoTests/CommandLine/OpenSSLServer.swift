import Foundation
import TestSupport
import Testing

/// `openssl s_server`, which serves the files of a folder by https.
struct OpenSSLServer {
    /// What macOS brings is LibreSSL, which does not tell its port.
    #if canImport(Darwin)
        private static let places = ["/opt/homebrew/bin/openssl", "/usr/local/opt/openssl/bin/openssl"]
    #else
        private static let places = ["/usr/bin/openssl"]
    #endif
    private static let program = places.first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isInstalled: Bool { program != nil }

    private let process: SpawnedProgram
    private let port: UInt16
    /// Stays open: the server writes to it with each connection.
    private let output: Pipe

    /// Makes certificates for a server and a client in `folder`, each its own authority, and a file `served`.
    ///
    /// Waits until the server listens.
    init(in folder: TemporaryFolder, asksForCertificate: Bool = false) throws {
        for name in ["server", "client"] {
            let made = try Self.start(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-keyout", "\(name).key", "-out", "\(name).pem", "-subj", "/CN=\(name)", "-addext",
                    "subjectAltName=IP:127.0.0.1",
                ], in: folder
            ).waitUntilEnd()
            try #require(made.code == 0)
        }
        try folder.write("content", to: "served")
        let client = asksForCertificate ? ["-Verify", "1", "-CAfile", "client.pem", "-verify_return_error"] : []
        let output = Pipe()
        process = try Self.start(
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-WWW"] + client,
            in: folder, output: output.fileHandleForWriting)
        // From here on the server alone has that end: where it ends, the output does.
        try output.fileHandleForWriting.close()
        self.output = output
        do {
            let port = try Self.port(in: output.fileHandleForReading)
            self.port = try #require(port, "openssl s_server has not told where it listens")
        } catch {
            kill(process.identifier, SIGKILL)
            _ = process.waitUntilEnd()
            throw error
        }
    }

    func url(_ name: String) -> String { "https://127.0.0.1:\(port)/\(name)" }

    func stop() {
        kill(process.identifier, SIGKILL)
        _ = process.waitUntilEnd()
    }

    private static func start(
        _ arguments: [String], in folder: TemporaryFolder, output: FileHandle? = nil
    ) throws -> SpawnedProgram {
        try SpawnedProgram(
            program ?? "", arguments, environment: ["PATH": "/usr/bin:/bin"], folder: folder.path,
            streams: [.null(), output ?? .null(), .null()])
    }

    /// Reads the server's output up to the line that tells where it listens, `ACCEPT 127.0.0.1:PORT`; `nil` where it
    /// ends before.
    private static func port(in output: FileHandle) throws -> UInt16? {
        var text = ""
        while let data = try output.read(upToCount: 1), !data.isEmpty {
            guard data != Data("\n".utf8) else {
                if text.hasPrefix("ACCEPT ") { return text.split(separator: ":").last.flatMap { UInt16($0) } }
                text = ""
                continue
            }
            text += String(decoding: data, as: UTF8.self)
        }
        return nil
    }
}
