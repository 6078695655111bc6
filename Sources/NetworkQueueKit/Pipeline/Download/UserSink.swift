import Foundation

/// Brings content to a ``DownloadSink``, which is asynchronous, and holds the exchange while that is busy.
final class UserSink: BodySink {
    /// So much may wait before the exchange is held.
    private static let upperMark = 256 * 1024

    private enum Ending {
        case finish(SinkCompletion.Report)
        case abandon
    }

    private enum Step {
        case write(Data)
        case finish(SinkCompletion.Report)
        /// For more content, or the end.
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
    ///   - predecessor: the sink of the attempt before, whose calls have to be over first.
    ///   - resume: called when the exchange is to go on.
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
            // While the sink finishes it can still be given up; then its report counts for nothing.
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
            // Cancelled, the stream ends.
            for await _ in wakeups {
                loop: while true {
                    switch nextStep() {
                    case .write(let chunk):
                        try await sink.write(chunk)
                    case .finish(let report):
                        try await sink.finish()
                        // It refers to the request, which refers to this.
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
            // Taken, as it refers to the request, which refers to this.
            return state.ending.take()
        }
        await sink.abandon()
        switch ending {
        case .finish(let report): report(.failure(failure))
        // It learns of the failure with the next bytes, or at the end.
        case nil: resume()
        case .abandon: break
        }
    }
}
