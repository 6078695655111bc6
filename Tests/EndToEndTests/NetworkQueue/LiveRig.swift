import Dispatch
import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport

/// A server, a folder for files, and a queue of either kind over a real transport to talk to the server.
struct LiveRig<Queue: Sendable> {
    let server: LoopbackServer
    let folder: TemporaryFolder
    let transport: any Transport
    let queue: Queue
    let recorder: DelegateRecorder
    /// What the completion handlers of the rig's own operations were given, in order.
    let outcomes = Gathering<RequestOutcome>()

    private init(
        _ kind: TransportKind, _ server: LoopbackServer?, _ configuration: TransportConfiguration,
        _ recorder: DelegateRecorder, makeQueue: (any Transport) -> Queue
    ) throws {
        self.server = try server ?? LoopbackServer()
        self.recorder = recorder
        folder = try TemporaryFolder()
        transport = try kind.makeTransport(configuration)
        queue = makeQueue(transport)
    }
}

extension LiveRig where Queue == NetworkQueue {
    /// Creates a queue in which a failure cancels no other request, and that does no sizing unless `configure` says so.
    ///
    /// - Parameters:
    ///   - server: the server to talk to, which may be behind another one. Default: one of the rig's own.
    ///   - credential: what the delegate answers to a challenge.
    init(
        _ kind: TransportKind, server: LoopbackServer? = nil, transport: TransportConfiguration = .patient,
        timekeeper: any Timekeeper = SystemTimekeeper(),
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in },
        credential: @escaping @Sendable (AuthenticationChallenge) -> URLCredential? = { _ in nil }
    ) throws {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        configuration.cancelsAllOnFailure = false
        configure(&configuration)
        try self.init(kind, server, transport, DelegateRecorder(credential: credential)) { transport in
            NetworkQueue(
                configuration: configuration, transport: transport,
                delegateQueue: DispatchQueue(label: "LiveRig.callbacks"), timekeeper: timekeeper)
        }
        queue.delegate = recorder
    }

    /// Runs one request to its end.
    func run(_ request: NetworkRequest) async -> RequestOperation {
        let operation = queue.add(request)
        await queue.run()
        return operation
    }

    /// Runs a GET for a path.
    func get(_ path: String, to destination: Destination = .memory) async -> RequestOperation {
        var request = NetworkRequest(server.url(path))
        request.destination = destination
        return await run(request)
    }
}

extension LiveRig where Queue == RequestQueue {
    static func requestQueue(
        _ kind: TransportKind, configure: (inout RequestQueue.Configuration) -> Void = { _ in }
    ) throws -> LiveRig {
        var configuration = RequestQueue.Configuration()
        configure(&configuration)
        return try LiveRig(kind, nil, .patient, DelegateRecorder()) { transport in
            RequestQueue(configuration: configuration, transport: transport)
        }
    }

    /// Adds a GET whose outcome is noted.
    @discardableResult
    func add(_ path: String, configure: (RequestOperation) -> Void = { _ in }) -> RequestOperation {
        add(URLRequest(url: server.url(path)), configure: configure)
    }

    @discardableResult
    func add(_ request: URLRequest, configure: (RequestOperation) -> Void = { _ in }) -> RequestOperation {
        let operation = outcomes.operation(for: NetworkRequest(request))
        configure(operation)
        queue.add(operation)
        return operation
    }
}

extension NetworkQueue {
    /// Creates a queue over a transport of its own, for servers other than a rig's. A failure cancels no other request,
    /// and there is no sizing.
    static func live(
        _ transport: TransportConfiguration, over kind: TransportKind = .default, atATime width: Int = 4,
        cookies: HTTPCookieStorage? = nil
    ) throws -> NetworkQueue {
        var configuration = Configuration()
        configuration.showsAccurateProgress = false
        configuration.cancelsAllOnFailure = false
        configuration.maxConcurrentRequestCount = width
        configuration.cookieStorage = cookies
        return NetworkQueue(
            configuration: configuration, transport: try kind.makeTransport(transport),
            delegateQueue: DispatchQueue(label: "NetworkQueue.live"))
    }
}
