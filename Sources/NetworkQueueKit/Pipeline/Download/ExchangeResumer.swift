/// Lets the exchange of an attempt go on from where its handle is not at hand.
///
/// A sink may call for more before the transport has returned the handle of the exchange that it holds.
final class ExchangeResumer: Sendable {
    private struct State {
        var number = 0
        var handle: (any ExchangeHandle)?
        var mustResume = false
        var isOver = false
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
            return state.handle.take()
        }
        withExtendedLifetime(handle) {}
    }

    /// Notes the handle of an exchange, unless it is over.
    func attach(_ handle: any ExchangeHandle, ofExchange number: Int) {
        let mustResume = state.withLock { state in
            guard state.number == number, !state.isOver else { return false }
            state.handle = handle
            return state.mustResume
        }
        if mustResume { handle.resume() }
    }

    func resume() {
        let handle = state.withLock { state in
            if state.handle == nil { state.mustResume = true }
            return state.handle
        }
        handle?.resume()
    }
}
