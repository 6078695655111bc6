/// The life of one request: its states, and what may happen in each. No I/O, no lock, no callback, no clock: what
/// happens goes in as an ``Event``, and what is to be done about it comes out as an ``Action``.
///
///     ready ─ start → working ─ beginExchange → exchanging ─ exchangeEnded → working | storing
///                        │
///                        ├─ ask → asking ─ asked → awaiting ─ answered → working      (asking may be answered at once)
///                        ├─ beginWait → waiting ─ waitEnded → queued ─ resume → working
///                        ├─ paused → queued
///                        └─ end → ended
///     storing ─ stored → working
///        └─ end → ended
///
/// A cancellation ends the request at once where nothing but a wait or an answer is missing: in `awaiting`, `waiting`
/// and `queued`. While an exchange is under way its handle is cancelled, and the end of the exchange is the end of the
/// request. Everywhere else it is noted, and the next step that would begin something ends the request in its place.
/// What is being stored is stored.
///
/// A pause cuts the exchange under way, and the request is queued. Everywhere else it is noted, and the next exchange is
/// not begun.
struct RequestStateMachine: Sendable {
    // Rare or large payloads are indirect, so states and events stay small.

    enum State: Sendable {
        /// Not started.
        case ready
        /// One thread decides what comes next.
        case working
        /// An exchange is under way; its handle is there once the transport has returned it.
        case exchanging(number: Int, handle: (any ExchangeHandle)?)
        /// A question is being put: to a hook, to the delegate, or to the authenticator.
        indirect case asking(step: Int, unprocessed: RequestResult?)
        /// The answer is awaited, from the task where there is one. A file of what is being processed goes if that
        /// fails.
        indirect case awaiting(step: Int, task: Task<Void, Never>?, unprocessed: RequestResult?)
        /// The whole content is being put in its place.
        case storing
        /// The next attempt waits for its time. It sends `next` in place of the request, if that is there.
        indirect case waiting(RetryWait, next: NetworkRequest?)
        /// The next attempt waits for a slot.
        indirect case queued(next: NetworkRequest?)
        case ended
    }

    enum Event: Sendable {
        case start
        case beginExchange
        /// The transport has returned the handle of the exchange with this number.
        case exchangeStarted(number: Int, any ExchangeHandle)
        /// The exchange is over, or a response that was put aside is the result after all. Where its content is whole,
        /// it is stored. `isCut` tells whether its handle has been cancelled.
        case exchangeEnded(storesContent: Bool, isCut: Bool)
        /// A question is about to be put.
        indirect case ask(unprocessed: RequestResult?)
        /// The question with this number has been put; the task works on the answer.
        case asked(step: Int, Task<Void, Never>?)
        case answered(step: Int)
        /// The content is in its place, or could not be put there, and that is not the end.
        case stored
        indirect case beginWait(RetryWait, next: NetworkRequest?)
        case waitEnded
        /// There is a slot for the next attempt.
        case resume
        /// No exchange is to be under way any more.
        case pause
        /// A pause does not apply any more.
        case unpause
        case cancel
        /// The result is certain.
        case end
    }

    enum Action: Sendable {
        /// Go on.
        case proceed
        /// Nothing is to be done: it comes too late.
        case ignore
        /// Start the exchange with this number.
        case send(number: Int)
        /// Put the question with this number.
        case ask(step: Int)
        /// Cancel this exchange.
        case cancel(any ExchangeHandle)
        /// Give the slot back: the request is paused.
        case pause
        /// Begin the next attempt, with this request in place of the own one.
        indirect case attempt(NetworkRequest?)
        /// End the request; it was cancelled before or not.
        case finish(isCancelled: Bool)
        /// End the request as cancelled, and call these off.
        indirect case interrupt(Interruption)
    }

    /// What a cancellation calls off.
    struct Interruption: Sendable {
        var wait: RetryWait?
        var task: Task<Void, Never>?
        var unprocessed: RequestResult?
    }

    private(set) var state = State.ready
    private(set) var isCancelled = false
    /// Whether no exchange is to be under way.
    private(set) var isPaused = false
    /// Whether the exchange under way has been cancelled for that.
    private var isCutByPause = false
    /// The number of the latest exchange or question: what is told of an earlier one comes too late.
    private var latest = 0

    /// Takes an event; returns what to do about it.
    mutating func handle(_ event: Event) -> Action {
        switch (event, state) {
        case (.cancel, _): return cancel()
        case (.pause, _): return pause()
        case (.unpause, _):
            isPaused = false
            return .ignore
        case (.start, .ready): return isCancelled ? interrupt() : go(to: .working)
        case (.beginExchange, .working):
            guard !isCancelled else { return interrupt() }
            guard !isPaused else { return setAside() }
            latest += 1
            state = .exchanging(number: latest, handle: nil)
            return .send(number: latest)
        case (.exchangeStarted(let number, let handle), .exchanging(let current, _)) where number == current:
            state = .exchanging(number: number, handle: handle)
            return isCancelled || isCutByPause ? .cancel(handle) : .proceed
        case (.exchangeEnded(let storesContent, let isCut), .exchanging),
            (.exchangeEnded(let storesContent, let isCut), .working):
            defer { isCutByPause = false }
            guard !isCancelled else { return interrupt() }
            // What has ended by itself counts: a response that is there is not asked for twice.
            if isCut, isCutByPause, !storesContent { return setAside() }
            return go(to: storesContent ? .storing : .working)
        case (.ask(let unprocessed), .working):
            guard !isCancelled else { return interrupt(Interruption(unprocessed: unprocessed)) }
            latest += 1
            state = .asking(step: latest, unprocessed: unprocessed)
            return .ask(step: latest)
        case (.asked(let step, let task), .asking(let current, let unprocessed)) where step == current:
            // Not before the question was put: it must not be told of after the end.
            guard !isCancelled else { return interrupt(Interruption(task: task, unprocessed: unprocessed)) }
            return go(to: .awaiting(step: step, task: task, unprocessed: unprocessed))
        case (.answered(let step), .asking(let current, _)) where step == current: return go(to: .working)
        case (.answered(let step), .awaiting(let current, _, _)) where step == current: return go(to: .working)
        case (.stored, .storing): return go(to: .working)
        case (.beginWait(let wait, let next), .working):
            return isCancelled ? interrupt(Interruption(wait: wait)) : go(to: .waiting(wait, next: next))
        case (.waitEnded, .waiting(_, let next)): return go(to: .queued(next: next))
        case (.resume, .queued(let next)):
            guard !isPaused else { return .pause }
            state = .working
            return .attempt(next)
        case (.end, .working), (.end, .storing):
            state = .ended
            return .finish(isCancelled: isCancelled)
        default:
            return .ignore
        }
    }

    private mutating func cancel() -> Action {
        switch state {
        case .ended: return .ignore
        case .awaiting(_, let task, let unprocessed):
            return interrupt(Interruption(task: task, unprocessed: unprocessed))
        case .waiting(let wait, _): return interrupt(Interruption(wait: wait))
        case .queued: return interrupt()
        case .exchanging(_, let handle):
            isCancelled = true
            return handle.map { .cancel($0) } ?? .ignore
        case .ready, .working, .asking, .storing:
            isCancelled = true
            return .ignore
        }
    }

    private mutating func pause() -> Action {
        if case .ended = state { return .ignore }
        isPaused = true
        guard case .exchanging(_, let handle) = state else { return .ignore }
        isCutByPause = true
        return handle.map { .cancel($0) } ?? .ignore
    }

    private mutating func setAside() -> Action {
        state = .queued(next: nil)
        return .pause
    }

    private mutating func interrupt(_ interruption: Interruption = Interruption()) -> Action {
        isCancelled = true
        state = .ended
        return .interrupt(interruption)
    }

    private mutating func go(to state: State) -> Action {
        self.state = state
        return .proceed
    }
}
