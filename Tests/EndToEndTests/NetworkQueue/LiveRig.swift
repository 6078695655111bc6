import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport

/// A server, and a queue over a real transport to talk to it.
struct LiveRig {
    let server: LoopbackServer
    let transport: any Transport
    let queue: NetworkQueue
    let recorder = DelegateRecorder()

    /// Does no sizing unless `configure` says so.
    init(
        _ kind: TransportKind, connectTimeout: Duration? = nil,
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) throws {
        server = try LoopbackServer()
        var transportConfiguration = TransportConfiguration.patient
        if let connectTimeout { transportConfiguration.connectTimeout = connectTimeout }
        transport = try kind.makeTransport(transportConfiguration)
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        configuration.cancelsAllOnFailure = false
        configure(&configuration)
        queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "LiveRig.callbacks")
        )
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
