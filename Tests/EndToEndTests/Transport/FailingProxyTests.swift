import Foundation
import LoopbackServer
import NetworkQueueKit
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What errors tell of a proxy that cannot be used: not its name and password.
@Suite("Credentials of a proxy that fails", .serialized, .timeLimit(.minutes(10)))
struct FailingProxyTests {
    /// Proxies that cannot be found, cannot be reached, or are no proxies.
    private static let proxies =
        PlantedSecret.userInformation.flatMap { user in
            [
                "http://\(user)@127.0.0.1:1", "\(user)@127.0.0.1:1", "socks5://\(user)@127.0.0.1:1",
                "http://\(user)@proxy.invalid:1", "http://\(user)/@127.0.0.1:1", "http://\(user)@127.0.0.1:port",
                "nonsense://\(user)@127.0.0.1:1", "http://\(user)#@127.0.0.1", "http://\(user)@[::1", "http://\(user)@",
            ]
        } + [
            "http://\(PlantedSecret.user)/\(PlantedSecret.word)@127.0.0.1",
            "http://\(PlantedSecret.user):\(PlantedSecret.word)",
        ]

    /// All that a user may print of a failed request over a transport.
    private static func traces(_ transport: any Transport, to url: URL) async -> (hasFailed: Bool, traces: [String]) {
        let queue = NetworkQueue(transport: transport, delegateQueue: DispatchQueue(label: "FailingProxyTests"))
        queue.showsAccurateProgress = false
        let operation = queue.add(url)
        let summary = await queue.run()
        guard let error = operation.error else { return (false, PlantedSecret.traces(in: operation)) }
        var values: [Any] = [
            operation, summary, error, error.underlying as Any, error.description, error.localizedDescription,
            transport,
        ]
        if let beneath = error.underlying { values += [beneath.localizedDescription, (beneath as NSError).userInfo] }
        return (true, values.flatMap(PlantedSecret.traces(in:)))
    }

    @Test(arguments: TransportKind.allCases)
    func `of the configuration are in none of its texts`(kind: TransportKind) async throws {
        let server = try LoopbackServer()
        server.serve("/", .text("here"))
        for proxy in Self.proxies {
            // What Foundation cannot parse, a configuration cannot hold.
            guard let url = URL(string: proxy) else { continue }
            var configuration = TransportConfiguration.patient
            configuration.proxy = url
            let outcome = await Self.traces(try kind.makeTransport(configuration), to: server.url)
            #expect(outcome.traces.isEmpty, "\(proxy): \(outcome.traces.joined(separator: "\n"))")
            // On Linux, a session of Foundation takes no notice of the setting.
            if kind != .urlSession { #expect(outcome.hasFailed, "\(proxy)") }
        }
    }

    /// In a process of its own, whose environment is not shared with other tests.
    @Test(arguments: TransportKind.allCases)
    func `of the environment are in none of its texts`(kind: TransportKind) async throws {
        let name = kind.rawValue
        await #expect(processExitsWith: .success) { [name = name as String] in
            guard let kind = TransportKind(rawValue: name), let url = URL(string: "http://127.0.0.1:2/") else {
                exit(2)
            }
            for proxy in FailingProxyTests.proxies {
                setenv("http_proxy", proxy, 1)
                setenv("no_proxy", "", 1)
                guard let transport = try? kind.makeTransport() else { exit(3) }
                let outcome = await FailingProxyTests.traces(transport, to: url)
                guard outcome.hasFailed, outcome.traces.isEmpty else {
                    FileHandle.standardError.write(Data("\(proxy): \(outcome.traces)\n".utf8))
                    exit(1)
                }
            }
        }
    }
}
