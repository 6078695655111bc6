/// Lets the exchange of an attempt go on from where its handle is not at hand, unless the request is paused: what a
/// user's sink has begun to take cannot be asked for again, so a pause holds it with its connection.
///
/// A sink may call for more before the transport has returned the handle of the exchange that it holds.
final class ExchangeResumer: Sendable {
    private struct State {
        var number = 0
        var handle: (any ExchangeHandle)?
        var mustResume = false
        var isOver = false
        /// Whether the sink has begun to take the content.
        var hasContent = false
        /// Whether the request is paused.
        var isHeld = false
    }

    private let state = Guarded(State())

    /// Forgets the exchange before, as another is about to start.
    func reset(forExchange number: Int) {
        let former = state.withLock { state in
            defer { state = State(number: number) }
            return state.handle
        }
        withExtendedLifetime(former) {}
    }

    /// Forgets the exchange, which is over. Its handle refers to the request, which refers to this.
    func end() {
        let handle = state.withLock { state in
            state.isOver = true
            state.isHeld = false
            return state.handle.take()
        }
        withExtendedLifetime(handle) {}
    }

    /// Notes the handle of an exchange, unless it is over.
    func attach(_ handle: any ExchangeHandle, ofExchange number: Int) {
        let mustResume = state.withLock { state in
            guard state.number == number, !state.isOver else { return false }
            state.handle = handle
            return state.mustResume && !state.isHeld
        }
        if mustResume { handle.resume() }
    }

    func resume() {
        let handle = state.withLock { state -> (any ExchangeHandle)? in
            if state.handle == nil || state.isHeld { state.mustResume = true }
            return state.isHeld ? nil : state.handle
        }
        handle?.resume()
    }

    // MARK: Pause

    /// Whether the exchange is to bring nothing more.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Notes that the sink gets the content of the exchange.
    func noteContent() {
        state.withLock { $0.hasContent = true }
    }

    /// Holds the exchange; returns `false` if nothing has come of it that would be lost without it.
    func hold() -> Bool {
        state.withLock { state in
            guard state.hasContent, !state.isOver else { return false }
            state.isHeld = true
            return true
        }
    }

    /// Lets a held exchange go on; returns whether there is one.
    func release() -> Bool {
        let (wasHeld, handle) = state.withLock { state in
            defer { state.isHeld = false }
            return (state.isHeld, state.isHeld ? state.handle : nil)
        }
        handle?.resume()
        return wasHeld
    }
}
