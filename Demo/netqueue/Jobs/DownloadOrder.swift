/// The order in which the downloads of a portion are started: by stage, and within each stage as an option asks for.
struct DownloadOrder: Sendable {
    private let order: Options.Order
    /// The numbers of the entries by stage, in the order of the list.
    private var stages: [Int: [Int]] = [:]
    /// The sizes of entries that have one, if the order depends on them.
    private var sizes: [Int: Int64] = [:]

    init(_ order: Options.Order) { self.order = order }

    /// Adds an entry with its number.
    mutating func add(_ entry: ListEntry, _ number: Int) {
        stages[entry.stage, default: []].append(number)
        if order == .smallest || order == .largest { sizes[number] = entry.size }
    }

    /// The numbers in order.
    var inOrder: [Int] { stages.sorted { $0.key < $1.key }.flatMap { ordered($0.value) } }

    private func ordered(_ numbers: [Int]) -> [Int] {
        switch order {
        case .list: numbers
        case .reverse: numbers.reversed()
        case .random: numbers.shuffled()
        case .smallest: sorted(numbers) { $0 }
        case .largest: sorted(numbers) { -$0 }
        }
    }

    /// The numbers by a key of their sizes. Equal ones stay in the order of the list, and those without a size come
    /// last.
    private func sorted(_ numbers: [Int], by key: (Int64) -> Int64) -> [Int] {
        let keys = numbers.map { number in (key: sizes[number].map(key) ?? .max, number: number) }
        return keys.sorted { ($0.key, $0.number) < ($1.key, $1.number) }.map(\.number)
    }
}
