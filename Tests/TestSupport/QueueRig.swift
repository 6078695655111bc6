import Dispatch
import Foundation
import NetworkQueueKit
import NetworkQueueTesting

private let callbackQueueKey = DispatchSpecificKey<Bool>()

/// A queue of either kind over a scripted transport and a clock that stands still, with a folder for its files.
///
/// `QueueRig()` has a `NetworkQueue` with a recorder as its delegate, `QueueRig.started()` one that downloads to the
/// folder, `QueueRig.requestQueue()` a `RequestQueue` whose outcomes are noted, and `QueueRig(kind)` either of them.
package struct QueueRig<Queue: Sendable>: Sendable {
    package let transport: ScriptedTransport
    package let clock: ManualClock
    /// The delegate queue.
    package let callbacks: DispatchQueue
    package let recorder: DelegateRecorder
    package let queue: Queue
    /// What the completion handlers of the rig's own operations were given, in order.
    package let outcomes = Gathering<RequestOutcome>()
    private let lazyFolder = LazyFolder()

    private init(
        _ transport: ScriptedTransport, _ recorder: DelegateRecorder = DelegateRecorder(),
        makeQueue: (ManualClock, DispatchQueue) -> Queue
    ) {
        self.transport = transport
        self.recorder = recorder
        clock = ManualClock()
        callbacks = DispatchQueue(label: "QueueRig.callbacks")
        callbacks.setSpecific(key: callbackQueueKey, value: true)
        queue = makeQueue(clock, callbacks)
    }

    /// A folder that goes away with the rig, made when it is first asked for.
    package var folder: TemporaryFolder { lazyFolder.folder }

    /// Waits until what has happened has had all its effects, callbacks among them: the thread of an exchange may still
    /// be at them, or have yet to end one that was canceled.
    package func settle() {
        repeat {
            sched_yield()
            callbacks.sync {}
        } while !transport.isQuiet { !clock.isQuiet { (queue as? any Settling)?.isAtWork ?? false } }
    }

    /// Moves the time on, when all before has had its effects; what falls due has had its own when it returns.
    package func advance(by duration: Duration) {
        settle()
        clock.advance(by: duration)
        settle()
    }

    /// How many calls of the clock are to come.
    package var scheduledCount: Int {
        settle()
        return clock.scheduledCount
    }

    /// An operation whose outcome is noted.
    package func make(_ request: NetworkRequest) -> RequestOperation { outcomes.operation(for: request) }

    /// A GET whose outcome is noted, to be run in no queue of the library.
    package func makeStandalone(_ path: String) -> RequestOperation {
        let operation = make(NetworkRequest(.test(path)))
        operation.setStandalone(transport: transport, timekeeper: clock)
        return operation
    }

    /// Waits for so many outcomes in all.
    package func texts(_ count: Int) async -> [String] {
        await outcomes.wait(count: count).map(\.text)
    }
}

extension QueueRig where Queue == NetworkQueue {
    /// Creates a queue that does no sizing unless `configure` says so.
    ///
    /// - Parameters:
    ///   - redirect: what the delegate makes of a redirect.
    ///   - credential: what the delegate answers to a challenge.
    ///   - onEvent: called inside each callback of the delegate.
    package init(
        _ transport: ScriptedTransport = ScriptedTransport(),
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in },
        redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 },
        credential: @escaping @Sendable (AuthenticationChallenge) -> URLCredential? = { _ in nil },
        onEvent: @escaping @Sendable (NetworkQueue, NetworkQueue.Event) -> Void = { _, _ in }
    ) {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        configure(&configuration)
        let recorder = DelegateRecorder(redirect: redirect, credential: credential, onEvent: onEvent)
        self.init(transport, recorder) { clock, callbacks in
            NetworkQueue(
                configuration: configuration, transport: transport, delegateQueue: callbacks, timekeeper: clock)
        }
        queue.delegate = recorder
    }

    /// Whether the calling code runs on the callback queue of some rig.
    package static var isOnCallbackQueue: Bool { DispatchQueue.getSpecific(key: callbackQueueKey) == true }

    /// Adds GETs for `count` paths `/0`, `/1`, ….
    @discardableResult
    package func add(_ count: Int) -> [RequestOperation] {
        // Together: a run could end between two additions.
        queue.add(contentsOf: (0..<count).map { NetworkRequest(.test("\($0)")) })
    }

    /// Runs one request to its end.
    @discardableResult
    package func run(_ request: NetworkRequest) async -> RequestOperation {
        let operation = queue.add(request)
        await queue.run()
        return operation
    }

    /// Runs a GET to its end.
    @discardableResult
    package func run(_ url: URL) async -> RequestOperation { await run(NetworkRequest(url)) }

    /// Runs an operation to its end.
    package func run(_ operation: RequestOperation) async {
        queue.add(operation)
        await queue.run()
    }

    /// Runs Foundation's request to its end.
    @discardableResult
    package func run(_ request: URLRequest) async -> RequestOperation { await run(NetworkRequest(request)) }

    /// Waits until so many attempts in all have failed that another follows.
    package func waitForRetries(_ count: Int) async {
        await recorder.wait { events in events.count { $0.kind == .willRetry } >= count }
    }

    /// The delays of all retries so far.
    package var retryDelays: [Duration] {
        recorder.events.compactMap { if case .willRetry(_, let delay, _) = $0 { delay } else { nil } }
    }

    /// Adds a request that succeeds at once to a started queue and waits for the drain that it brings, so that whatever
    /// was posted before has been delivered.
    package func flush() async {
        transport.setScript { _ in .ok() }
        let drains = recorder.summaries.count
        queue.add(.test("flush"))
        await recorder.waitForDrain(drains + 1)
    }
}

extension QueueRig where Queue == RequestQueue {
    package static func requestQueue(
        _ transport: ScriptedTransport = ScriptedTransport(),
        configure: (inout RequestQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig {
        var configuration = RequestQueue.Configuration()
        configure(&configuration)
        return QueueRig(transport) { clock, _ in
            RequestQueue(configuration: configuration, transport: transport, timekeeper: clock)
        }
    }

    /// Adds a GET whose outcome is noted.
    @discardableResult
    package func add(_ path: String) -> RequestOperation {
        add(URLRequest(url: .test(path)))
    }

    @discardableResult
    package func add(_ request: URLRequest) -> RequestOperation {
        let operation = make(NetworkRequest(request))
        queue.add(operation)
        return operation
    }

    @discardableResult
    package func add(all paths: [String]) -> [RequestOperation] {
        paths.map { add($0) }
    }

    /// The paths of what is in the queue, in its order.
    package var paths: [String] { queue.requests.map(\.path) }
    /// The paths of all exchanges so far.
    package var startedPaths: [String] { transport.exchanges.map(\.path) }
    /// The exchanges that are open.
    package var open: [ScriptedExchange] { transport.exchanges.filter { !$0.isOver } }
}

extension QueueRig where Queue == any RequestQueueing {
    /// Creates a queue that has been started, in which a failure cancels no other request.
    package init(_ kind: QueueKind, _ transport: ScriptedTransport = ScriptedTransport(), limit: Int = 0) {
        self.init(transport) { clock, callbacks in
            kind.makeQueue(over: transport, limit: limit, callbacks: callbacks, timekeeper: clock)
        }
    }

    /// Creates a queue whose server answers everything with `text`.
    package init(_ kind: QueueKind, answering text: String, status: Int = 200) {
        self.init(kind, ScriptedTransport { _ in .respond(status: status, headers: [:], body: Data(text.utf8)) })
    }
}

extension RequestOperation {
    /// The path of its request.
    package var path: String { request.urlRequest.url?.path() ?? "-" }
}

extension RequestQueue {
    /// Waits until what has happened has had all its effects: the thread of an exchange may still be at them.
    package func settle() {
        while isPerformingEffects { sched_yield() }
    }
}

/// A queue that may have effects to perform or callbacks to make.
package protocol Settling {
    var isPerformingEffects: Bool { get }
    var hasCallbacks: Bool { get }
    var isFlushing: Bool { get }
}

extension Settling {
    package var isFlushing: Bool { false }

    /// Looks twice at the callbacks: one may have been made by effects that have ended meanwhile.
    package var isAtWork: Bool { hasCallbacks || isPerformingEffects || isFlushing || hasCallbacks }
}

extension NetworkQueue: Settling {}
extension RequestQueue: Settling {}

extension URL {
    /// `http://host.test/path`.
    package static func test(_ path: String) -> URL {
        guard let url = URL(string: "http://host.test/\(path)") else { preconditionFailure("not a path: \(path)") }
        return url
    }
}

extension NetworkRequest {
    /// A GET for `http://host.test/path`, with changes.
    package static func test(_ path: String, _ change: (inout NetworkRequest) -> Void) -> NetworkRequest {
        var request = NetworkRequest(URL.test(path))
        change(&request)
        return request
    }
}

/// Runs blocking code on a thread of its own, so that it cannot starve the test runner's.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
