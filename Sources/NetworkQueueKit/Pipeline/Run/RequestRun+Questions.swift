/// What the run waits for from outside: answers of the delegate, and the hooks' asynchronous code.
extension RequestRun {
    /// Waits for an answer that is given from outside, at once or later, with the slot in hand.
    ///
    /// - Parameters:
    ///   - unprocessed: what is being processed.
    ///   - ask: gets the number by which the answer is taken, with ``takesAnswer(_:)``; returns the task that works on it, if there
    ///     is one. From then on the request belongs to the thread that brings the answer.
    func pause(unprocessed: RequestResult? = nil, _ ask: (_ step: Int) -> Task<Void, Never>?) {
        switch handle(.ask(unprocessed: unprocessed)) {
        case .ask(let step):
            let task = ask(step)
            if case .interrupt(let interruption) = handle(.asked(step: step, task)) {
                interrupt(interruption)
            }
        case .interrupt(let interruption): interrupt(interruption, head: abandonResponse())
        default: break
        }
    }

    /// Whether an answer is still waited for. If so, the request belongs to the caller.
    func takesAnswer(_ step: Int) -> Bool {
        if case .proceed = handle(.answered(step: step)) { true } else { false }
    }

    /// Waits for a hook's asynchronous code, which runs wherever it wants.
    func pause<Answer: Sendable>(
        unprocessed: RequestResult? = nil, for work: @escaping @Sendable () async -> Answer,
        then: @escaping @Sendable (Answer) -> Void
    ) {
        pause(unprocessed: unprocessed) { step in
            Task {
                let answer = await work()
                if takesAnswer(step) { then(answer) }
            }
        }
    }
}
