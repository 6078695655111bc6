import Foundation
import NetworkQueueKit

/// A transport for tests that uses no network: a script answers each exchange, or leaves it to the test.
///
/// ```swift
/// let transport = ScriptedTransport { exchange in
///     exchange.url.path() == "/list" ? .json(#"[1, 2]"#) : .status(404)
/// }
/// let queue = RequestQueue(transport: transport)
/// let numbers = try await queue.value(of: [Int].self, for: url)
/// ```
///
/// An exchange answered with ``Answer/hold`` stays open until the test ends it:
///
/// ```swift
/// let exchange = await transport.exchange(0)
/// exchange.receive(status: 200, headers: ["Content-Length": "2"])
/// exchange.receive(Data("ok".utf8))
/// exchange.end()
/// ```
///
/// The transport opens no sockets, so its exchanges take only as long as the queue's own work; with a ``ManualClock``,
/// retry delays take no time either. For a real server on this machine, use the module LoopbackHTTP.
public final class ScriptedTransport: Transport {
    /// The script's immediate answer to an exchange.
    public enum Answer: Sendable {
        /// Keep the exchange open until the test ends it.
        case hold
        /// Deliver a complete response.
        case respond(status: Int, headers: HTTPHeaders, body: Data)
        /// Fail with a transport error, given as a `URLError` code.
        case fail(URLError.Code)

        /// A 200 with the given content.
        public static func ok(_ body: Data = Data()) -> Answer {
            .respond(status: 200, headers: ["Content-Length": "\(body.count)"], body: body)
        }

        /// A 200 with JSON content.
        public static func json(_ text: String) -> Answer {
            .respond(
                status: 200, headers: ["Content-Type": "application/json", "Content-Length": "\(text.utf8.count)"],
                body: Data(text.utf8))
        }

        /// A response without content.
        public static func status(_ status: Int, _ headers: HTTPHeaders = [:]) -> Answer {
            .respond(status: status, headers: headers, body: Data())
        }
    }

    /// Counts of the exchanges, as ``wait(until:)`` observes them.
    public struct Counts: Sendable {
        /// The number of exchanges started in total.
        public var started = 0
        /// The number of open exchanges.
        public var live = 0
        /// The greatest number of exchanges that were open at the same time.
        public var peakLive = 0
        /// The number of exchanges that were canceled.
        public var cancelled = 0
        /// The number of exchanges whose receivers have processed the completion.
        public var completed = 0
        /// The number of calls of `pause()`, for requests that were paused while they receive content.
        public var paused = 0
        /// The number of calls of `resume()`, by receivers that had paused their exchange.
        public var resumed = 0

        /// Whether no exchange is open and no receiver is still processing a completion.
        public var isQuiet: Bool { completed == started }
    }

    private struct State {
        var script: @Sendable (HTTPExchange) -> Answer
        var exchanges: [ScriptedExchange] = []
        var counts = Counts()
        var scheduledCount = 0
        var deliveredCount = 0
    }

    private let state: Guarded<State>
    private let waiters = WaiterList()
    private let isSynchronous: Bool
    private let obeysCancellation: Bool
    private let keepsExchanges: Bool

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - isSynchronous: Whether scripted answers are delivered inside `start`, the hardest case for a queue; false by
    ///     default.
    ///   - obeysCancellation: Whether a canceled exchange ends by itself (default). Otherwise the test ends it.
    ///   - keepsExchanges: Whether `exchanges` is filled; true by default. Exchanges retain operations.
    ///   - script: The script that answers each exchange; by default it holds all.
    public init(
        isSynchronous: Bool = false, obeysCancellation: Bool = true, keepsExchanges: Bool = true,
        script: @escaping @Sendable (HTTPExchange) -> Answer = { _ in .hold }
    ) {
        self.isSynchronous = isSynchronous
        self.obeysCancellation = obeysCancellation
        self.keepsExchanges = keepsExchanges
        state = Guarded(State(script: script))
    }

    /// All exchanges in the order they were started, with the header fields and content that were sent.
    public var exchanges: [ScriptedExchange] { state.withLock { $0.exchanges } }
    /// The current counts.
    public var counts: Counts { state.withLock { $0.counts } }
    /// The number of open exchanges.
    public var liveCount: Int { counts.live }
    /// The greatest number of exchanges that were open at the same time.
    public var peakLiveCount: Int { counts.peakLive }

    /// Whether no receiver is being told, or is about to be told, of an answer or of the end of a canceled exchange,
    /// and none has been since before `isAtWork` was called, which says whether anything else goes on.
    ///
    /// One of these may cause the other and be over before it is looked at. So the deliveries are counted.
    package func isQuiet(besides isAtWork: () -> Bool) -> Bool {
        let deliveredCount = state.withLock { $0.deliveredCount }
        return !isAtWork() && state.withLock { $0.scheduledCount } == deliveredCount
    }

    /// Changes the script for later exchanges.
    public func setScript(_ script: @escaping @Sendable (HTTPExchange) -> Answer) {
        state.withLock { $0.script = script }
    }

    /// Waits until at least `count` exchanges have been started in total or the task is canceled.
    public func waitForExchanges(_ count: Int) async {
        await wait { $0.started >= count }
    }

    /// Waits for the exchange with a number, counted from 0.
    ///
    /// If the task is canceled first, returns an exchange of its own that is over: events for it reach nobody, so the
    /// test fails by its own expectations and the other tests go on.
    ///
    /// - Precondition: The transport keeps its exchanges.
    public func exchange(_ number: Int) async -> ScriptedExchange {
        await waitForExchanges(number + 1)
        let exchanges = exchanges
        if exchanges.indices.contains(number) { return exchanges[number] }
        guard keepsExchanges else {
            fatalError(
                "This ScriptedTransport was created with keepsExchanges: false, so it did not keep exchange \(number).")
        }
        return ScriptedExchange.neverStarted()
    }

    /// Waits until the counts satisfy a condition or the task is canceled.
    public func wait(until isMet: @escaping @Sendable (Counts) -> Bool) async {
        await waiters.wait { [self] in isMet(counts) }
    }

    /// Starts an exchange with the script's answer.
    public func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
        let scripted = ScriptedExchange(exchange, receiver: receiver, obeysCancellation: obeysCancellation) {
            [weak self] event in self?.note(event)
        }
        let script = state.withLock { state in
            if keepsExchanges { state.exchanges.append(scripted) }
            return state.script
        }
        // Not under the lock, because the script may use the transport.
        let answer = script(exchange)
        update { state in
            state.counts.started += 1
            state.counts.live += 1
            state.counts.peakLive = max(state.counts.peakLive, state.counts.live)
        }
        if isSynchronous {
            scripted.queue.sync { scripted.perform(answer) }
        } else {
            scripted.later { scripted.perform(answer) }
        }
        return scripted
    }

    private func note(_ event: ScriptedExchange.Event) {
        update { state in
            switch event {
            case .end: state.counts.live -= 1
            case .cancellation: state.counts.cancelled += 1
            case .completion: state.counts.completed += 1
            case .pause: state.counts.paused += 1
            case .resumption: state.counts.resumed += 1
            case .scheduled: state.scheduledCount += 1
            case .delivered: state.deliveredCount += 1
            }
        }
    }

    private func update(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        if waiters.hasWaiters { waiters.check() }
    }
}
