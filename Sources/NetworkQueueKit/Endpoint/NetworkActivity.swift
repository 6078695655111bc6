/// The number of running requests in this process, for example for a network activity indicator.
///
/// ```swift
/// for await count in NetworkActivity.shared.counts() {
///     indicator.isHidden = count == 0
/// }
/// ```
///
/// All operations count from their start to their end, including sizing requests, operations outside a queue, and each
/// part of a split download. Waits for a retry and its slot are included. Pauses are not, nor are waits for a slot to
/// start or to continue after a pause. All members may be used from any thread.
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

    /// The number of requests running now. A request that has ended is not counted, even in its own handler.
    public var count: Int { counter.value }

    /// Whether any request is running.
    public var isActive: Bool { count > 0 }

    /// Returns a sequence of the current count and each change of it, which never ends.
    ///
    /// A slow reader may miss intermediate values, but always gets the latest. Each call returns a new sequence, for
    /// one reader.
    public func counts() -> Counts {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.latest += 1
            state.signals[state.latest] = continuation
            return state.latest
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        counter.observe { [weak self] in self?.signal() }
        // After observing, so that no change is missed.
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
    /// A sequence of the number of running requests.
    public struct Counts: AsyncSequence, Sendable {
        let signals: AsyncStream<Void>
        let counter: RunningCounter

        /// Creates the iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(signals: signals.makeAsyncIterator(), counter: counter)
        }

        /// The iterator of ``Counts``.
        public struct Iterator: AsyncIteratorProtocol {
            private var signals: AsyncStream<Void>.Iterator
            private let counter: RunningCounter
            private var latest: Int?

            init(signals: AsyncStream<Void>.Iterator, counter: RunningCounter) {
                self.signals = signals
                self.counter = counter
            }

            /// Waits until the count changes; returns `nil` if the task is canceled.
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
