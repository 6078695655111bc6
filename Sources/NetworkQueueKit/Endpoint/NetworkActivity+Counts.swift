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
