import Foundation
import NetworkQueueKit
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport without a network: the test decides what becomes of each exchange, and when.
public final class ScriptedTransport: Transport {
    /// What happens to an exchange at once.
    public enum Answer: Sendable {
        /// It stays open until the test ends it.
        case hold
        /// A whole response.
        case respond(status: Int, headers: HTTPHeaders, body: Data)
        /// A failure of the transport.
        case fail(URLError.Code)

        /// A 200 with the given content.
        public static func ok(_ body: Data = Data()) -> Answer {
            .respond(status: 200, headers: ["Content-Length": "\(body.count)"], body: body)
        }
    }

    private struct State {
        var script: @Sendable (HTTPExchange) -> Answer
        var exchanges: [ScriptedExchange] = []
        var liveCount = 0
        var peakLiveCount = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let isSynchronous: Bool

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - isSynchronous: whether scripted answers are given inside `start`, which is the hardest case for a queue.
    ///   - script: what becomes of each exchange. Default: all are held.
    public init(
        isSynchronous: Bool = false, script: @escaping @Sendable (HTTPExchange) -> Answer = { _ in .hold }
    ) {
        self.isSynchronous = isSynchronous
        state = Mutex(State(script: script))
    }

    /// All exchanges that were started, in order.
    public var exchanges: [ScriptedExchange] { state.withLock { $0.exchanges } }
    /// How many exchanges are open.
    public var liveCount: Int { state.withLock { $0.liveCount } }
    /// The most that were open at a time.
    public var peakLiveCount: Int { state.withLock { $0.peakLiveCount } }

    /// Changes the script for exchanges from now on.
    public func setScript(_ script: @escaping @Sendable (HTTPExchange) -> Answer) {
        state.withLock { $0.script = script }
    }

    /// Waits until at least `count` exchanges have been started in all.
    public func waitForExchanges(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.exchanges.count < count { state.waiters.append((count, continuation)) }
                return state.exchanges.count >= count
            }
            if isReached { continuation.resume() }
        }
    }

    public func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
        let scripted = ScriptedExchange(exchange, receiver: receiver) { [weak self] in
            self?.state.withLock { $0.liveCount -= 1 }
        }
        let (answer, ready) = state.withLock { state in
            state.exchanges.append(scripted)
            state.liveCount += 1
            state.peakLiveCount = max(state.peakLiveCount, state.liveCount)
            let count = state.exchanges.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (state.script(exchange), ready)
        }
        if isSynchronous {
            scripted.perform(answer)
        } else {
            scripted.queue.async { scripted.perform(answer) }
        }
        for waiter in ready { waiter.continuation.resume() }
        return scripted
    }
}
