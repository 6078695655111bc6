import Foundation
import TestSupport
import Testing

/// `openssl s_server`, which serves the files of a folder by https.
struct OpenSSLServer {
    private static let program = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static var isInstalled: Bool { program != nil }

    private let process: SpawnedProgram
    private let port: UInt16

    /// Makes certificates for a server and a client in `folder`, each its own authority, and a file `served`.
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
        port = try Self.freePort()
        let client = asksForCertificate ? ["-Verify", "1", "-CAfile", "client.pem", "-verify_return_error"] : []
        process = try Self.start(
            ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key", "server.key", "-WWW", "-quiet"]
                + client, in: folder)
        // Nothing tells when it listens.
        for _ in 0..<600 where !Self.isListening(port) { usleep(50_000) }
    }

    func url(_ name: String) -> String { "https://127.0.0.1:\(port)/\(name)" }

    func stop() {
        kill(process.identifier, SIGKILL)
        _ = process.waitUntilEnd()
    }

    private static func start(_ arguments: [String], in folder: TemporaryFolder) throws -> SpawnedProgram {
        try SpawnedProgram(
            program ?? "", arguments, environment: ["PATH": "/usr/bin:/bin"], folder: folder.path,
            streams: try (0..<3).map { _ in try FileHandle(forUpdating: URL(filePath: "/dev/null")) })
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(to: 0) { bind($0, $1, $2) == 0 }
        defer { close(descriptor) }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        try #require(isKnown)
        return UInt16(bigEndian: address.sin_port)
    }

    private static func isListening(_ port: UInt16) -> Bool {
        var isConnected = false
        close(
            socket(to: port) {
                isConnected = connect($0, $1, $2) == 0
                return isConnected
            })
        return isConnected
    }

    /// A new socket, after `body` has been called with it and the address of a port.
    private static func socket(
        to port: UInt16, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Int32 {
        #if canImport(Darwin)
            let descriptor = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }
}
