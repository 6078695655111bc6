/// How many requests of this process run; for an indicator that the network is in use.
///
///     for await count in NetworkActivity.shared.counts() {
///         indicator.isHidden = count == 0
///     }
///
/// All operations count, in whatever queue or none, from their start to their end, and so do the requests for sizes.
/// Waiting for a retry is part of it, waiting for a slot is not. Everything may be called from any thread.
public final class NetworkActivity: Sendable {
    /// The activity of the process.
    public static let shared = NetworkActivity(RequestOperation.running)

    private struct State {
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
        var latest = 0
    }

    private let counter: RunningCounter
    private let state = Guarded(State())

    init(_ counter: RunningCounter) {
        self.counter = counter
    }

    /// How many requests run now. One that has ended is not counted any more in its own handler.
    public var count: Int { counter.value }

    /// Whether any request runs.
    public var isActive: Bool { count > 0 }

    /// The count now, then each time that it has changed, without end. A slow reader misses what is between, but never
    /// the latest.
    ///
    /// Each call returns a sequence of its own, for one reader.
    public func counts() -> Counts {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.latest += 1
            state.signals[state.latest] = continuation
            return state.latest
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        counter.observe { [weak self] in self?.signal() }
        // After that, so that no change is missed.
        continuation.yield()
        return Counts(signals: signals, counter: counter)
    }

    private func signal() {
        for continuation in state.withLock({ $0.signals }).values { continuation.yield() }
    }

    private func forget(_ number: Int) {
        state.withLock { $0.signals[number] = nil }
    }
}

extension NetworkActivity {
    /// The count of running requests, and each change of it.
    public struct Counts: AsyncSequence, Sendable {
        let signals: AsyncStream<Void>
        let counter: RunningCounter

        /// Starts reading.
        public func makeAsyncIterator() -> Iterator {
            Iterator(signals: signals.makeAsyncIterator(), counter: counter)
        }

        /// Reads the counts.
        public struct Iterator: AsyncIteratorProtocol {
            private var signals: AsyncStream<Void>.Iterator
            private let counter: RunningCounter
            private var latest: Int?

            init(signals: AsyncStream<Void>.Iterator, counter: RunningCounter) {
                self.signals = signals
                self.counter = counter
            }

            /// Waits until the count is another than before; `nil` when the task has been cancelled.
            public mutating func next() async -> Int? {
                while await signals.next() != nil {
                    let count = counter.value
                    guard count != latest else { continue }
                    latest = count
                    return count
                }
                return nil
            }
        }
    }
}
