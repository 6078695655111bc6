/// Resumes an attempt's exchange for code that does not have its handle, unless the request is paused.
///
/// Content that a user's sink has begun to receive cannot be requested again, so a pause holds the exchange together
/// with its connection. A sink may ask for more before the transport has returned the handle of the exchange.
final class ExchangeResumer: Sendable {
    private struct State {
        var number = 0
        var handle: (any ExchangeHandle)?
        var mustResume = false
        var isOver = false
        /// Whether the sink has begun to receive content.
        var hasContent = false
        /// Whether the request is paused.
        var isHeld = false
        /// Whether the exchange was told to pause.
        var isPaused = false
        /// Whether a thread is telling the exchange to pause or to resume.
        var isTelling = false
    }

    private let state = Guarded(State())
    private let speedWatch: SpeedWatch?

    /// - Parameter speedWatch: does not count time in which the sink holds the exchange.
    init(_ speedWatch: SpeedWatch?) {
        self.speedWatch = speedWatch
    }

    /// Forgets the previous exchange before the next one starts.
    func reset(forExchange number: Int) {
        let former = state.withLock { state in
            defer { state = State(number: number) }
            return state.handle
        }
        withExtendedLifetime(former) {}
    }

    /// Forgets the finished exchange. This breaks a reference cycle: the handle refers to the request, which refers to
    /// this object.
    func end() {
        let handle = state.withLock { state in
            state.isOver = true
            state.isHeld = false
            return state.handle.take()
        }
        withExtendedLifetime(handle) {}
    }

    /// Notes the handle of an exchange that is still running.
    func attach(_ handle: any ExchangeHandle, ofExchange number: Int) {
        let mustResume = state.withLock { state in
            guard state.number == number, !state.isOver else { return false }
            state.handle = handle
            return state.mustResume && !state.isHeld
        }
        if mustResume { handle.resume() }
        tell()
    }

    func resume() {
        let (handle, isHeld) = state.withLock { state -> ((any ExchangeHandle)?, Bool) in
            if state.handle == nil || state.isHeld { state.mustResume = true }
            return (state.isHeld ? nil : state.handle, state.isHeld)
        }
        if !isHeld { speedWatch?.set(.reader, false) }
        handle?.resume()
    }

    // MARK: Pause

    /// Whether the exchange is held and must not deliver more.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Notes that the sink receives the content of the exchange.
    func noteContent() {
        state.withLock { $0.hasContent = true }
    }

    /// Holds the exchange. Returns `false` if it has ended, or if the sink has received no content from it yet: then
    /// nothing is lost by ending it.
    func hold() -> Bool {
        let isHeld = state.withLock { state in
            guard state.hasContent, !state.isOver else { return false }
            state.isHeld = true
            return true
        }
        if isHeld { tell() }
        return isHeld
    }

    /// Resumes a held exchange and returns whether there was one.
    func release() -> Bool {
        let wasHeld = state.withLock { state in
            defer { state.isHeld = false }
            return state.isHeld
        }
        if wasHeld { tell() }
        return wasHeld
    }

    /// Tells the exchange to pause or to resume until it has heard the latest. One thread at a time does so, because the
    /// order of these calls matters and they are made outside the lock.
    private func tell() {
        var isFirst = true
        while let (handle, isHeld) = state.withLock({ state -> (any ExchangeHandle, Bool)? in
            if isFirst, state.isTelling { return nil }
            isFirst = false
            state.isTelling = state.handle != nil && state.isHeld != state.isPaused
            guard state.isTelling, let handle = state.handle else { return nil }
            state.isPaused = state.isHeld
            return (handle, state.isHeld)
        }) {
            if isHeld { handle.pause() } else { handle.resume() }
        }
    }
}
