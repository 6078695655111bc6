import Foundation

/// Passes content to an asynchronous ``DownloadSink``, and pauses the exchange while the sink is busy.
final class UserSink: BodySink {
    /// High-water mark: pause the exchange above it.
    private static let upperMark = 256 * 1024

    private enum Ending {
        /// The content is complete.
        case finish(SinkCompletion.Report)
        /// The content has broken off, and no attempt follows. The sink still gets what has arrived.
        case deliverRest(then: @Sendable () -> Void)
        /// The sink was told the end, or is about to be.
        case over
    }

    private enum Step {
        case write(Data)
        case finish(SinkCompletion.Report)
        case abandon(then: @Sendable () -> Void)
        /// Wait for more content or the end.
        case wait
    }

    private struct State {
        var buffer = Data()
        var isHolding = false
        /// Whether the sink is being asked if it may start over, and must not get content meanwhile.
        var isStopped = false
        var ending: Ending?
        var failure: NetworkError?
    }

    private let sink: any DownloadSink
    private let resume: @Sendable () -> Void
    private let state = Guarded(State())
    private let wakeup: AsyncStream<Void>.Continuation
    private let task: Guarded<Task<Void, Never>?> = Guarded(nil)

    /// - Parameters:
    ///   - predecessor: the sink of the previous attempt, whose calls must end first.
    ///   - resume: called when the exchange may continue.
    init(
        _ sink: any DownloadSink, head: ResponseHead, after predecessor: UserSink?,
        resume: @escaping @Sendable () -> Void
    ) {
        self.sink = sink
        self.resume = resume
        let (wakeups, wakeup) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wakeup = wakeup
        let former = predecessor?.task.withLock { $0 }
        task.withLock {
            $0 = Task { [self] in
                await former?.value
                await run(head, wakeups)
            }
        }
    }

    /// Whether the exchange is to be paused because the sink is busy.
    var isHolding: Bool { state.withLock { $0.isHolding } }

    // MARK: BodySink

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        let (failure, mustHold) = state.withLock { state in
            state.buffer.append(contentsOf: bytes)
            if state.buffer.count >= Self.upperMark { state.isHolding = true }
            return (state.failure, state.isHolding)
        }
        if let failure { throw failure }
        wakeup.yield()
        return mustHold ? .pause : .proceed
    }

    func finish() -> SinkCompletion { .handover { [self] report in finish(report) } }

    private func finish(_ report: @escaping SinkCompletion.Report) {
        let failure = state.withLock { state in
            if state.failure == nil { state.ending = .finish(report) }
            return state.failure
        }
        if let failure { return report(.failure(failure)) }
        wakeup.yield()
    }

    // The content that has arrived stays until it is known what follows: another attempt drops it, the end of the
    // request delivers it.
    func abandon() {}
    func discard() {}

    // MARK: After a failure

    /// Asks the sink whether another attempt may follow. If it may, `drop()` comes next.
    func mayStartOver() -> Bool {
        state.withLock { $0.isStopped = true }
        let mayStartOver = sink.mayStartOver()
        if !mayStartOver {
            state.withLock { $0.isStopped = false }
            wakeup.yield()
        }
        return mayStartOver
    }

    /// Passes what has arrived to the sink, abandons the sink, and calls `then`. Calls it at once if the sink was told
    /// the end before.
    func deliverRest(then: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if case .over = state.ending { return true }
            state.ending = .deliverRest(then: then)
            return false
        }
        if isOver { then() } else { wakeup.yield() }
    }

    /// Drops what has arrived and abandons the sink at once, also while it finishes; its report is then ignored.
    func drop() {
        let isFirst = state.withLock { state in
            if case .over = state.ending { return false }
            state.ending = .over
            state.buffer = Data()
            return true
        }
        if isFirst { task.withLock { $0 }?.cancel() }
    }

    // MARK: The task

    private func run(_ head: ResponseHead, _ wakeups: AsyncStream<Void>) async {
        do {
            try await sink.begin(head)
            // Canceling the task ends the stream.
            for await _ in wakeups {
                loop: while true {
                    switch nextStep() {
                    case .write(let chunk):
                        try await sink.write(chunk)
                    case .finish(let report):
                        try await sink.finish()
                        setOver()
                        return report(.success(StoredContent()))
                    case .abandon(let then):
                        await sink.abandon()
                        setOver()
                        return then()
                    case .wait:
                        break loop
                    }
                }
            }
            await sink.abandon()
        } catch {
            await fail(error)
        }
    }

    private func setOver() {
        // This also breaks a reference cycle: the ending refers to the request, which refers to this sink.
        state.withLock { $0.ending = .over }
    }

    private func nextStep() -> Step {
        let (step, mustResume) = state.withLock { state -> (Step, Bool) in
            guard !state.isStopped else { return (.wait, false) }
            guard state.buffer.isEmpty else {
                let chunk = state.buffer
                state.buffer = Data()
                defer { state.isHolding = false }
                return (.write(chunk), state.isHolding)
            }
            switch state.ending {
            case .finish(let report): return (.finish(report), false)
            case .deliverRest(let then): return (.abandon(then: then), false)
            case nil, .over: return (.wait, false)
            }
        }
        if mustResume { resume() }
        return step
    }

    private func fail(_ error: any Error) async {
        let failure = NetworkError(error, thrownBy: sink, as: .processing)
        let ending = state.withLock { state in
            state.failure = failure
            state.buffer = Data()
            // Replaced to break a reference cycle: the ending refers to the request, which refers to this sink.
            defer { state.ending = .over }
            return state.ending
        }
        await sink.abandon()
        switch ending {
        case .finish(let report): report(.failure(failure))
        case .deliverRest(let then): then()
        // Resume the exchange: it learns of the failure with its next bytes or at its end.
        case nil: resume()
        case .over: break
        }
    }
}
