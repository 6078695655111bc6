import Dispatch
import Foundation
import NetworkQueueTesting
import TestSupport

@testable import NetworkQueueKit

/// A request queue over a scripted transport and a clock that stands still, which notes what its handlers are told.
struct RequestQueueRig {
    struct Outcome: Sendable {
        let path: String
        let head: ResponseHead?
        let data: Data?
        let error: NetworkError?

        /// Such as `/a ok` and `/b cancelled`.
        var text: String { "\(path) \(error.map { "\($0.code)" } ?? "ok")" }
    }

    let transport: ScriptedTransport
    let clock = ManualClock()
    let queue: RequestQueue
    /// What the completion handlers were given, in order.
    let outcomes = Gathering<Outcome>()

    init(
        _ transport: ScriptedTransport = ScriptedTransport(),
        configure: (inout RequestQueue.Configuration) -> Void = { _ in }
    ) {
        self.transport = transport
        var configuration = RequestQueue.Configuration()
        configure(&configuration)
        queue = RequestQueue(configuration: configuration, transport: transport, timekeeper: clock)
    }

    /// Adds a GET whose outcome is noted.
    @discardableResult
    func add(_ path: String) -> RequestOperation {
        add(URLRequest(url: .test(path)))
    }

    @discardableResult
    func add(_ request: URLRequest) -> RequestOperation {
        let operation = make(NetworkRequest(request))
        queue.add(operation)
        return operation
    }

    @discardableResult
    func add(all paths: [String]) -> [RequestOperation] {
        paths.map { add($0) }
    }

    /// An operation whose outcome is noted.
    func make(_ request: NetworkRequest) -> RequestOperation {
        let path = request.urlRequest.url?.path() ?? "-"
        let operation = RequestOperation(request)
        operation.completionHandler = { [outcomes] head, data, error in
            outcomes.add(Outcome(path: path, head: head, data: data, error: error))
        }
        return operation
    }

    /// Moves the time on, when all before has had its effects; what falls due has had its own when it returns.
    func advance(by duration: Duration) {
        settle()
        clock.advance(by: duration)
        settle()
    }

    /// Waits until what has happened has had all its effects.
    func settle() { queue.settle() }

    /// How many calls of the clock are to come.
    var scheduledCount: Int {
        settle()
        return clock.scheduledCount
    }

    /// Waits for so many outcomes in all.
    func texts(_ count: Int) async -> [String] {
        await outcomes.wait(count: count).map(\.text)
    }

    /// The paths of what is in the queue, in its order.
    var paths: [String] { queue.requests.map(\.path) }
    /// The paths of all exchanges so far.
    var startedPaths: [String] { transport.exchanges.map(\.path) }
    /// The exchanges that are open.
    var open: [ScriptedExchange] { transport.exchanges.filter { !$0.isOver } }
}

extension RequestOperation {
    /// The path of its request.
    var path: String { request.urlRequest.url?.path() ?? "-" }
}

extension RequestQueue {
    /// Waits until what has happened has had all its effects: the thread of an exchange may still be at them.
    func settle() {
        while loop.isPerforming { sched_yield() }
    }
}
