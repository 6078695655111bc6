/// Waits for what a handler is given, and for its end where it is thrown away without having been called.
final class Handover<Value: Sendable>: Sendable {
    /// The handler's end of it. Letting go of the last reference ends the wait.
    final class Sender: Sendable {
        private let handover: Handover

        fileprivate init(_ handover: Handover) {
            self.handover = handover
        }

        /// Hands the value over.
        func send(_ value: Value) { handover.end(with: value) }

        deinit { handover.end(with: nil) }
    }

    private enum State {
        case open
        case waiting(CheckedContinuation<Value?, Never>)
        case ended(Value?)
    }

    private let state = Guarded(State.open)

    /// The handler's end. To be called once.
    func makeSender() -> Sender { Sender(self) }

    /// Waits for the value; `nil` where there will be none. To be called once.
    func value() async -> Value? {
        await withCheckedContinuation { continuation in
            let ended = state.withLock { state -> Value?? in
                if case .ended(let value) = state { return .some(value) }
                state = .waiting(continuation)
                return nil
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    private func end(with value: Value?) {
        let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            switch state {
            case .ended: return nil
            case .open:
                state = .ended(value)
                return nil
            case .waiting(let continuation):
                state = .ended(nil)
                return continuation
            }
        }
        continuation?.resume(returning: value)
    }
}
