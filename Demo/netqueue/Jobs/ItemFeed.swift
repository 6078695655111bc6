import NetworkQueueKit

/// The items of a job, in the order they are sent. More items may become known while the job runs.
///
/// A waiting item is only a number, from which the item is created in time: a list may have a million lines.
final class ItemFeed: Sendable {
    private struct State {
        /// The numbers of all known items.
        var numbers: [Int]
        /// The range of `numbers` that is waiting.
        var waiting: Range<Int>
        var isComplete: Bool
        var hasStopped = false
        /// The numbers of items that have been handed out and have not ended, by name.
        var underWay: [ByteText: Int] = [:]
        var willGrow: (@Sendable (Int) -> Void)?
    }

    /// Creates the item with a number.
    let make: @Sendable (Int) -> NetworkRequest
    private let state: Locked<State>
    /// The consumer that waits for more items.
    private let waiters = WaiterList()

    /// - Parameter isComplete: Whether no more items will become known.
    init(_ numbers: [Int], isComplete: Bool = true, make: @escaping @Sendable (Int) -> NetworkRequest) {
        self.make = make
        state = Locked(State(numbers: numbers, waiting: 0..<numbers.count, isComplete: isComplete))
    }

    convenience init(_ items: [NetworkRequest]) {
        self.init(Array(items.indices)) { items[$0] }
    }

    // MARK: Adding items

    /// Adds items. Announces their number before any of them is handed out. Must not be called concurrently.
    func yield(_ numbers: [Int]) {
        state.withLock { $0.willGrow }?(numbers.count)
        state.withLock { state in
            state.numbers += numbers
            state.waiting = state.waiting.lowerBound..<state.numbers.count
        }
        waiters.check()
    }

    /// Marks the feed as complete.
    func finish() {
        state.withLock { $0.isComplete = true }
        waiters.check()
    }

    /// Whether no more items will become known.
    var isComplete: Bool { state.withLock { $0.isComplete } }

    /// The number of known items.
    var count: Int { state.withLock { $0.numbers.count } }

    /// All known items.
    var all: some Sequence<NetworkRequest> { state.withLock { $0.numbers }.lazy.map { self.make($0) } }

    /// Calls `tell` with the number of known items, and later with the number of each addition.
    func onGrowth(_ tell: @escaping @Sendable (Int) -> Void) {
        let count = state.withLock { state in
            state.willGrow = tell
            return state.numbers.count
        }
        tell(count)
    }

    // MARK: Handing out items

    /// Hands out the items from the last to the first. They must all be known, and none have been handed out.
    func reverse() { state.withLock { $0.numbers.reverse() } }

    /// Waits for the next item; returns `nil` at the end or after ``stop()``.
    func next() async -> NetworkRequest? {
        if let item = nextKnown() { return item }
        await waiters.wait { [state] in state.withLock { !$0.waiting.isEmpty || $0.isComplete || $0.hasStopped } }
        return nextKnown()
    }

    /// The next item, if one is known.
    func nextKnown() -> NetworkRequest? {
        let number = state.withLock { state -> Int? in
            guard !state.hasStopped, !state.waiting.isEmpty else { return nil }
            defer { state.waiting.removeFirst() }
            return state.numbers[state.waiting.lowerBound]
        }
        guard let number else { return nil }
        let item = make(number)
        state.withLock { $0.underWay[ByteText(item.itemName)] = number }
        return item
    }

    /// Records that an item has ended; returns its number.
    func end(_ name: String) -> Int? { state.withLock { $0.underWay.removeValue(forKey: ByteText(name)) } }

    /// The numbers of items that have been handed out and have not ended.
    var underWay: [Int] { state.withLock { Array($0.underWay.values) } }

    // MARK: Stopping

    /// Whether ``stop()`` has been called.
    var isStopped: Bool { state.withLock { $0.hasStopped } }

    /// Stops handing out items.
    func stop() {
        state.withLock { $0.hasStopped = true }
        waiters.check()
    }

    /// The numbers of items that have not ended, in order: those that are waiting, and those handed out just before the
    /// others were canceled.
    var rest: [Int] { state.withLock { ($0.numbers[$0.waiting] + $0.underWay.values).sorted() } }
}
