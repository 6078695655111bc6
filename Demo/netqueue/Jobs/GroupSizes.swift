import NetworkQueueKit

/// The numbers of items in the groups of a job. The queue knows only those that it has read.
struct GroupSizes: Sendable {
    private var sizes: [ByteText: (order: Int, count: Int)] = [:]

    /// Counts `count` more items in a group.
    mutating func add(_ count: Int = 1, to name: String) {
        let next = sizes.count
        sizes[ByteText(name), default: (order: next, count: 0)].count += count
    }

    mutating func add(_ other: GroupSizes) {
        for (name, count) in other.inOrder { add(count, to: name) }
    }

    /// The number of items in a group.
    subscript(name: String) -> Int { sizes[ByteText(name)]?.count ?? 0 }

    /// The groups in the order of their first items.
    var inOrder: [(name: String, count: Int)] {
        sizes.sorted { $0.value.order < $1.value.order }.map { ($0.key.text, $0.value.count) }
    }
}
