/// The states of a request and the transitions between them. It has no I/O, lock, callback or clock: it takes an
/// ``Event`` and returns the ``Action`` to carry out.
///
/// ```text
/// ready ─ start → working ─ beginExchange → exchanging ─ exchangeEnded → working | storing
///                    │
///                    ├─ ask → asking ─ asked → awaiting ─ answered → working      (asking may be answered at once)
///                    ├─ beginWait → waiting ─ waitEnded → queued ─ resume → working
///                    │                 └─ waitAnswered → working ─ needSlot → queued
///                    ├─ paused, stopped → leaving ─ left → queued
///                    └─ end → ended
/// storing ─ stored → working
///    └─ end → ended
/// ```
///
/// A cancellation ends the request at once while it waits for a time, an answer or a slot: in `awaiting`, `waiting` and
/// `queued`. During an exchange it cancels the exchange's handle, and the end of the exchange ends the request. In
/// every other state it is noted, and the next step that would start something ends the request instead. Content that
/// is being stored is still stored.
///
/// A pause cancels the current exchange and queues the request. In every other state it is noted, and the next exchange
/// does not start; work that may take long looks for it, and stops. A request that is paused before its start does not
/// start. In `leaving`, the thread that drives the request still closes its files and reports the pause, so a
/// cancellation, a slot or another pause is only noted.
struct RequestStateMachine: Sendable {
    // Rare or large payloads are indirect, so states and events stay small.

    enum State: Sendable {
        /// Not started.
        case ready
        /// One thread decides what to do next.
        case working
        /// An exchange is running. `handle` is set once the transport has returned it.
        case exchanging(number: Int, handle: (any ExchangeHandle)?)
        /// A question is being asked of a hook, the delegate or the authenticator.
        indirect case asking(step: Int, unprocessed: RequestResult?)
        /// The answer is awaited, from `task` if there is one. A cancellation removes the file of `unprocessed`.
        indirect case awaiting(step: Int, task: Task<Void, Never>?, unprocessed: RequestResult?)
        /// The complete content is being moved to its destination.
        case storing
        /// The next attempt waits for its time, or for a fresh URL. It sends `next` instead of the request, if that is
        /// set.
        indirect case waiting(RetryWait, next: NetworkRequest?)
        /// The request is paused, and its thread is about to give the slot back. `isResumed` tells whether there is a
        /// slot again.
        indirect case leaving(next: NetworkRequest?, isResumed: Bool)
        /// The next attempt waits for a slot.
        indirect case queued(next: NetworkRequest?)
        case ended
    }

    enum Event: Sendable {
        case start
        case beginExchange
        /// The transport has returned the handle of the exchange with this number.
        case exchangeStarted(number: Int, any ExchangeHandle)
        /// The exchange has ended, or a response that was put aside becomes the result. With `storesContent` its
        /// content is complete and is stored next. With `isCut` its handle was canceled.
        case exchangeEnded(storesContent: Bool, isCut: Bool)
        /// A question is about to be asked.
        indirect case ask(unprocessed: RequestResult?)
        /// The question with this number was asked; the task works on the answer.
        case asked(step: Int, Task<Void, Never>?)
        case answered(step: Int)
        /// The work on the answer has stopped before its end, because the request was paused.
        case stopped
        /// The content was moved to its destination, or could not be, and more steps follow.
        case stored
        indirect case beginWait(RetryWait, next: NetworkRequest?)
        case waitEnded
        /// The answer for which the request has waited is there.
        case waitAnswered
        /// The next attempt needs a slot.
        case needSlot
        /// There is a slot for the next attempt.
        case resume
        /// The pause was reported, and no thread drives the request any more.
        case left
        /// The exchange is too slow and must end.
        case cut
        /// The request is paused; no exchange may run.
        case pause
        /// The pause is lifted.
        case unpause
        case cancel
        /// The result is final.
        case end
    }

    enum Action: Sendable {
        /// Continue.
        case proceed
        /// Do nothing; the event comes too late.
        case ignore
        /// Start the exchange with this number.
        case send(number: Int)
        /// Ask the question with this number.
        case ask(step: Int)
        /// Cancel this exchange.
        case cancel(any ExchangeHandle)
        /// Give the slot back, because the request is paused, and report ``Event/left``.
        case pause
        /// Start the next attempt; it sends this request, if any, instead of the original one.
        indirect case attempt(NetworkRequest?)
        /// End the request. `isCancelled` tells whether it was canceled before.
        case finish(isCancelled: Bool)
        /// End the request as canceled, and cancel these.
        indirect case interrupt(Interruption)
    }

    /// The activities that a cancellation ends.
    struct Interruption: Sendable {
        var wait: RetryWait?
        var task: Task<Void, Never>?
        var unprocessed: RequestResult?
    }

    private(set) var state = State.ready
    private(set) var isCancelled = false
    /// Whether the request is paused.
    private(set) var isPaused = false
    /// Whether to stop work that may take long.
    var isStopWanted: Bool { isCancelled || isPaused }
    /// Whether the pause has canceled the current exchange.
    private var isCutByPause = false
    /// The number of the latest exchange or question. Events with an earlier number come too late.
    private var latest = 0

    /// Handles an event and returns the action to carry out.
    mutating func handle(_ event: Event) -> Action {
        switch (event, state) {
        case (.cancel, _): return cancel()
        case (.pause, _): return pause()
        case (.unpause, _):
            isPaused = false
            return .ignore
        case (.cut, .exchanging(_, let handle)): return handle.map { .cancel($0) } ?? .ignore
        case (.start, .ready):
            guard !isCancelled else { return interrupt() }
            return isPaused ? leave() : go(to: .working)
        case (.beginExchange, .working):
            guard !isCancelled else { return interrupt() }
            guard !isPaused else { return leave() }
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
            // An exchange that ended by itself counts, so that its response is not requested twice.
            if isCut, isCutByPause, !storesContent { return leave() }
            return go(to: storesContent ? .storing : .working)
        case (.ask(let unprocessed), .working):
            guard !isCancelled else { return interrupt(Interruption(unprocessed: unprocessed)) }
            latest += 1
            state = .asking(step: latest, unprocessed: unprocessed)
            return .ask(step: latest)
        case (.asked(let step, let task), .asking(let current, let unprocessed)) where step == current:
            // Only after the question was asked, which must not be reported after the end of the request.
            guard !isCancelled else { return interrupt(Interruption(task: task, unprocessed: unprocessed)) }
            return go(to: .awaiting(step: step, task: task, unprocessed: unprocessed))
        case (.answered(let step), .asking(let current, _)) where step == current: return go(to: .working)
        case (.answered(let step), .awaiting(let current, _, _)) where step == current: return go(to: .working)
        // Even if the pause was lifted meanwhile: there is no answer.
        case (.stopped, .working): return isCancelled ? interrupt() : leave()
        case (.stored, .storing): return go(to: .working)
        case (.beginWait(let wait, let next), .working):
            return isCancelled ? interrupt(Interruption(wait: wait)) : go(to: .waiting(wait, next: next))
        case (.waitEnded, .waiting(_, let next)): return go(to: .queued(next: next))
        case (.waitAnswered, .waiting): return go(to: .working)
        case (.needSlot, .working): return isCancelled ? interrupt() : go(to: .queued(next: nil))
        case (.resume, .queued(let next)): return resume(next)
        case (.resume, .leaving(let next, _)):
            state = .leaving(next: next, isResumed: true)
            return .ignore
        case (.left, .leaving(let next, let isResumed)):
            guard !isCancelled else { return interrupt() }
            if isResumed { return resume(next) }
            state = .queued(next: next)
            return .ignore
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
        case .ready, .working, .asking, .storing, .leaving:
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

    private mutating func leave(next: NetworkRequest? = nil) -> Action {
        state = .leaving(next: next, isResumed: false)
        return .pause
    }

    private mutating func resume(_ next: NetworkRequest?) -> Action {
        guard !isPaused else { return leave(next: next) }
        state = .working
        return .attempt(next)
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
