import Foundation

/// How a client and the server talk to each other.
enum LineProtocol: String, Codable, CaseIterable {
    case plain = "HTTP/1.1"
    case secure = "HTTP/1.1 TLS"
    case http2 = "HTTP/2"
}

/// nginx on 127.0.0.1 with a port for each protocol, in a folder of its own that goes with it.
///
/// Each protocol has its own port, since not every client can be told which version to ask for over TLS.
final class BenchmarkServer {
    /// Holds everything that the benchmark writes.
    let folder: URL
    let ports: [LineProtocol: UInt16]
    /// For those that speak TLS.
    var certificate: URL { folder.appending(path: "certificate.pem") }
    /// What is served.
    var tree: URL { folder.appending(path: "tree") }
    private var guardian: HelperProcess?

    /// Starts a server; files are in memory where the system has `/dev/shm` and TMPDIR does not say otherwise.
    init() throws {
        guard NginxGuardian.program != nil else { throw BenchmarkFailure("nginx is not installed") }
        let base = Self.baseFolder
        folder = base.appending(path: "netqueue-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "tree/put"), withIntermediateDirectories: true)
        // nginx's worker is another user, unless it is not started by root.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        // So that everything below is in the same place, and goes with it.
        setenv("TMPDIR", folder.path, 1)
        do {
            try Self.makeCertificate(in: folder)
            (guardian, ports) = try Self.start(in: folder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Ends the server and removes its folder.
    func stop() {
        _ = guardian?.stop()
        guardian = nil
    }

    deinit { stop() }

    private static var baseFolder: URL {
        let isChosen = ProcessInfo.processInfo.environment["TMPDIR"] != nil
        let memory = URL(filePath: "/dev/shm")
        return !isChosen && FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
    }

    private static func start(in folder: URL) throws -> (guardian: HelperProcess, ports: [LineProtocol: UInt16]) {
        for _ in 0..<20 {
            // Not of those that the system gives out for port 0: a connection could have it by now.
            let first = UInt16.random(in: 20_000..<29_990)
            let ports = Dictionary(
                uniqueKeysWithValues: LineProtocol.allCases.enumerated().map { ($1, first + UInt16($0)) })
            let configuration = ServerConfiguration(folder: folder, ports: ports).text
            try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
            if let guardian = try? HelperProcess(.guardian, [folder.path]) { return (guardian, ports) }
        }
        let reason = try? String(contentsOf: folder.appending(path: "error.log"), encoding: .utf8)
        throw BenchmarkFailure("nginx did not start: \(reason ?? "")")
    }

    private static func makeCertificate(in folder: URL) throws {
        guard let program = ChildProcess.find("openssl") else { throw BenchmarkFailure("openssl is not installed") }
        let result = try ChildProcess.run(
            [
                program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", folder.appending(path: "key.pem").path,
                "-out", folder.appending(path: "certificate.pem").path,
            ], output: folder.appending(path: "openssl.output"), isQuiet: true)
        guard result.status == 0 else { throw BenchmarkFailure("openssl made no certificate") }
    }
}
