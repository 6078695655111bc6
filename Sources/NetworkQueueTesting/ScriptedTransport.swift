import Foundation
import NetworkQueueKit

/// A transport without a network, for tests: a script decides what becomes of each exchange, and the test can take one
/// in its own hands.
///
///     let transport = ScriptedTransport { exchange in
///         exchange.url.path() == "/list" ? .json(#"[1, 2]"#) : .status(404)
///     }
///     let queue = RequestQueue(transport: transport)
///     let numbers = try await queue.value(of: [Int].self, for: url)
///
/// What is ``Answer/hold`` stays open until the test ends it:
///
///     let exchange = await transport.exchange(0)
///     exchange.receive(status: 200, headers: ["Content-Length": "2"])
///     exchange.receive(Data("ok".utf8))
///     exchange.end()
///
/// It opens no socket, so its exchanges take no time but what the queue needs; with a ``ManualClock`` waits for a retry
/// take none, either. For a real server on this machine there is the module LoopbackServer.
public final class ScriptedTransport: Transport {
    /// What happens to an exchange at once.
    public enum Answer: Sendable {
        /// It stays open until the test ends it.
        case hold
        /// A whole response.
        case respond(status: Int, headers: HTTPHeaders, body: Data)
        /// A failure of the transport, as `URLError` names it.
        case fail(URLError.Code)

        /// A 200 with the given content.
        public static func ok(_ body: Data = Data()) -> Answer {
            .respond(status: 200, headers: ["Content-Length": "\(body.count)"], body: body)
        }

        /// A 200 with JSON.
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

    /// How many exchanges there have been; what ``wait(until:)`` looks at.
    public struct Counts: Sendable {
        /// Exchanges started in all.
        public var started = 0
        /// Exchanges open now.
        public var live = 0
        /// The most that were open at a time.
        public var peakLive = 0
        /// Exchanges that were asked to end.
        public var cancelled = 0
        /// Exchanges whose receivers have taken the completion.
        public var completed = 0
        /// Calls of `resume()`, for exchanges whose receivers had paused them.
        public var resumed = 0

        /// Whether no exchange is open and no receiver busy with the end of one.
        public var isQuiet: Bool { completed == started }
    }

    private struct State {
        var script: @Sendable (HTTPExchange) -> Answer
        var exchanges: [ScriptedExchange] = []
        var counts = Counts()
    }

    private let state: Guarded<State>
    private let waiters = WaiterList()
    private let isSynchronous: Bool
    private let obeysCancellation: Bool
    private let keepsExchanges: Bool

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - isSynchronous: whether scripted answers are given inside `start`, which is the hardest case for a queue.
    ///   - obeysCancellation: whether a cancelled exchange ends by itself; else the test ends it.
    ///   - keepsExchanges: whether `exchanges` is filled. Exchanges hold on to operations.
    ///   - script: what becomes of each exchange. Default: all are held.
    public init(
        isSynchronous: Bool = false, obeysCancellation: Bool = true, keepsExchanges: Bool = true,
        script: @escaping @Sendable (HTTPExchange) -> Answer = { _ in .hold }
    ) {
        self.isSynchronous = isSynchronous
        self.obeysCancellation = obeysCancellation
        self.keepsExchanges = keepsExchanges
        state = Guarded(State(script: script))
    }

    /// All exchanges that were started, in order: what was sent, fields and content included.
    public var exchanges: [ScriptedExchange] { state.withLock { $0.exchanges } }
    /// All counts at this moment.
    public var counts: Counts { state.withLock { $0.counts } }
    /// How many exchanges are open.
    public var liveCount: Int { counts.live }
    /// The most that were open at a time.
    public var peakLiveCount: Int { counts.peakLive }

    /// Changes the script for exchanges from now on.
    public func setScript(_ script: @escaping @Sendable (HTTPExchange) -> Answer) {
        state.withLock { $0.script = script }
    }

    /// Waits until at least `count` exchanges have been started in all.
    public func waitForExchanges(_ count: Int) async {
        await wait { $0.started >= count }
    }

    /// Waits for the exchange with the given number, counted from 0.
    ///
    /// Where exchanges are not kept, or the task is cancelled before there is one, it traps.
    public func exchange(_ number: Int) async -> ScriptedExchange {
        await waitForExchanges(number + 1)
        let exchanges = exchanges
        guard exchanges.indices.contains(number) else {
            fatalError(
                keepsExchanges
                    ? "The task was cancelled while it waited for exchange \(number) of a ScriptedTransport."
                    : "This ScriptedTransport was made with keepsExchanges: false, so it has no exchange \(number) to give."
            )
        }
        return exchanges[number]
    }

    /// Waits until the counts satisfy a condition, or the task is cancelled.
    public func wait(until isMet: @escaping @Sendable (Counts) -> Bool) async {
        await waiters.wait { [self] in isMet(counts) }
    }

    /// Asks the script what becomes of an exchange.
    public func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
        let scripted = ScriptedExchange(exchange, receiver: receiver, obeysCancellation: obeysCancellation) {
            [weak self] event in self?.note(event)
        }
        let script = state.withLock { state in
            if keepsExchanges { state.exchanges.append(scripted) }
            return state.script
        }
        // Not under the lock: it may look at the transport.
        let answer = script(exchange)
        update { counts in
            counts.started += 1
            counts.live += 1
            counts.peakLive = max(counts.peakLive, counts.live)
        }
        if isSynchronous {
            scripted.queue.sync { scripted.perform(answer) }
        } else {
            scripted.queue.async { scripted.perform(answer) }
        }
        return scripted
    }

    private func note(_ event: ScriptedExchange.Event) {
        update { counts in
            switch event {
            case .end: counts.live -= 1
            case .cancellation: counts.cancelled += 1
            case .completion: counts.completed += 1
            case .resumption: counts.resumed += 1
            }
        }
    }

    private func update(_ body: (inout Counts) -> Void) {
        state.withLock { body(&$0.counts) }
        if waiters.hasWaiters { waiters.check() }
    }
}
