import Foundation

/// Passes content to an asynchronous ``DownloadSink``, and pauses the exchange while the sink is busy.
final class UserSink: BodySink {
    /// High-water mark: pause the exchange above it.
    private static let upperMark = 256 * 1024

    private enum Ending {
        case finish(SinkCompletion.Report)
        case abandon
    }

    private enum Step {
        case write(Data)
        case finish(SinkCompletion.Report)
        /// Wait for more content or the end.
        case wait
    }

    private struct State {
        var buffer = Data()
        var isHolding = false
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

    func abandon() {
        let isFirst = state.withLock { state in
            guard state.failure == nil else { return false }
            // The sink can still be abandoned while it finishes; its report is then ignored.
            if case .abandon = state.ending { return false }
            state.ending = .abandon
            state.buffer = Data()
            return true
        }
        guard isFirst else { return }
        wakeup.yield()
        task.withLock { $0 }?.cancel()
    }

    func discard() { abandon() }

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
                        // Break a reference cycle: the report refers to the request, which refers to this sink.
                        state.withLock { $0.ending = nil }
                        return report(.success(StoredContent()))
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

    private func nextStep() -> Step {
        let (step, mustResume) = state.withLock { state -> (Step, Bool) in
            guard state.buffer.isEmpty else {
                let chunk = state.buffer
                state.buffer = Data()
                defer { state.isHolding = false }
                return (.write(chunk), state.isHolding)
            }
            if case .finish(let report)? = state.ending { return (.finish(report), false) }
            return (.wait, false)
        }
        if mustResume { resume() }
        return step
    }

    private func fail(_ error: any Error) async {
        let failure = NetworkError(error, thrownBy: sink, as: .processing)
        let ending = state.withLock { state in
            state.failure = failure
            state.buffer = Data()
            // Take it to break a reference cycle: the report refers to the request, which refers to this sink.
            return state.ending.take()
        }
        await sink.abandon()
        switch ending {
        case .finish(let report): report(.failure(failure))
        // Resume the exchange: it learns of the failure with its next bytes or at its end.
        case nil: resume()
        case .abandon: break
        }
    }
}
