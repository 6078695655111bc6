import Foundation
import TestSupport

/// Squid on 127.0.0.1, a proxy that keeps nothing, with rules of the test's.
final class SquidServer {
    private static let program = SpawnedServer.program(["/usr/sbin/squid", "/usr/local/sbin/squid"])

    static var isInstalled: Bool { program != nil }

    let port: UInt16
    private let folder: TemporaryFolder
    private let server: SpawnedServer
    /// What squid calls its shared memory by.
    private var service: String { "s\(port)" }

    /// Starts a proxy.
    ///
    /// - Parameter rules: what comes before everything is allowed; the first that applies counts.
    init(rules: String) async throws {
        guard let program = Self.program else { throw SpawnedServer.Failure(description: "squid is not installed") }
        folder = try TemporaryFolder()
        port = try NginxServer.freePort()
        // Started by root, squid becomes another user, who writes the log.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let configuration = """
            http_port 127.0.0.1:\(port)
            acl CONNECT method CONNECT
            \(rules)
            http_access allow all
            cache deny all
            memory_cache_shared off
            pinger_enable off
            netdb_filename none
            # It has no names to look up.
            dns_nameservers 127.0.0.1
            udp_outgoing_address 127.0.0.1
            pid_filename \(folder.path)/squid.pid
            cache_log \(folder.path)/cache.log
            access_log none
            coredump_dir \(folder.path)
            """
        try folder.write(configuration, to: "squid.conf")
        server = try SpawnedServer(
            [program, "-N", "-d", "1", "-n", "s\(port)", "-f", "\(folder.path)/squid.conf"],
            readyAt: "Accepting HTTP Socket connections")
        try await server.waitUntilOpen(port)
    }

    func stop() {
        server.stop()
        // Ended in order, which takes it two seconds, it would remove this itself.
        let memory = "/dev/shm"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: memory)) ?? []
        for name in names where name.hasPrefix("\(service)-") {
            try? FileManager.default.removeItem(atPath: "\(memory)/\(name)")
        }
    }
}
