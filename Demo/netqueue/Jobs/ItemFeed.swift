/// The items of a job, in the order in which they are sent. More may become known while it runs.
///
/// One that waits is a number, from which it is made when its turn comes: a list may have a million lines.
final class ItemFeed<Item: JobItem>: Sendable {
    private struct State {
        /// The numbers of all items that are known.
        var numbers: [Int]
        /// Which of them wait, by their places.
        var waiting: Range<Int>
        var beginsWithLast = false
        var isComplete: Bool
        var hasStopped = false
        /// Those that have been handed out and have not ended, by their names.
        var underWay: [String: Int] = [:]
        var willGrow: (@Sendable (Int) -> Void)?
    }

    /// Makes an item of its number.
    let make: @Sendable (Int) -> Item
    private let state: Locked<State>
    /// Wakes who waits for more.
    private let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// - Parameter isComplete: whether no others will become known.
    init(_ numbers: [Int], isComplete: Bool = true, make: @escaping @Sendable (Int) -> Item) {
        self.make = make
        state = Locked(State(numbers: numbers, waiting: 0..<numbers.count, isComplete: isComplete))
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    convenience init(_ items: [Item]) {
        self.init(Array(items.indices)) { items[$0] }
    }

    // MARK: What becomes known

    /// Adds some, and has it told before any of them is handed out. One thread at a time may do so.
    func yield(_ numbers: [Int]) {
        state.withLock { $0.willGrow }?(numbers.count)
        state.withLock { state in
            state.numbers += numbers
            state.waiting = state.waiting.lowerBound..<state.numbers.count
        }
        continuation.yield()
    }

    /// There are no more.
    func finish() {
        state.withLock { $0.isComplete = true }
        continuation.yield()
    }

    /// Whether no others will become known.
    var isComplete: Bool { state.withLock { $0.isComplete } }

    /// How many are known.
    var count: Int { state.withLock { $0.numbers.count } }

    /// All that are known.
    var all: some Sequence<Item> { state.withLock { $0.numbers }.lazy.map { self.make($0) } }

    /// Has `tell` called with how many are there, and then with how many more become known.
    func onGrowth(_ tell: @escaping @Sendable (Int) -> Void) {
        let count = state.withLock { state in
            state.willGrow = tell
            return state.numbers.count
        }
        tell(count)
    }

    // MARK: What is sent

    /// Has them handed out from the last to the first.
    func beginWithLast() { state.withLock { $0.beginsWithLast = true } }

    /// Waits for the next item; `nil` at the end, and when no more are wanted.
    func next() async -> Item? {
        var changes = changes.makeAsyncIterator()
        while true {
            if let item = nextKnown() { return item }
            if state.withLock({ $0.isComplete || $0.hasStopped }) { return nil }
            await changes.next()
        }
    }

    /// The next item if one is known.
    func nextKnown() -> Item? {
        let number = state.withLock { state -> Int? in
            guard !state.hasStopped, !state.waiting.isEmpty else { return nil }
            if state.beginsWithLast {
                state.waiting.removeLast()
                return state.numbers[state.waiting.upperBound]
            }
            defer { state.waiting.removeFirst() }
            return state.numbers[state.waiting.lowerBound]
        }
        guard let number else { return nil }
        let item = make(number)
        state.withLock { $0.underWay[item.name] = number }
        return item
    }

    /// Notes that an item has ended; returns its number.
    func end(_ name: String) -> Int? { state.withLock { $0.underWay.removeValue(forKey: name) } }

    // MARK: The end

    /// Whether no more are wanted.
    var isStopped: Bool { state.withLock { $0.hasStopped } }

    /// No more are wanted.
    func stop() {
        state.withLock { $0.hasStopped = true }
        continuation.yield()
    }

    /// Those that have not ended, in their order: they wait, or were handed out just before the others were cancelled.
    var rest: [Int] { state.withLock { ($0.numbers[$0.waiting] + $0.underWay.values).sorted() } }
}
