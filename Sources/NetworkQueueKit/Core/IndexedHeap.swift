/// A priority queue of small integers with changeable ranks; the smallest rank comes first.
///
/// `first` is O(1), and every change is O(log `count`). The positions of the integers are kept by the caller, because
/// heaps that have no integer in common can share them. Their memory is proportional to the largest integer ever added.
struct IndexedHeap<Rank: Comparable & Sendable>: Sendable {
    typealias Positions = ContiguousArray<SlotLink>

    private struct Item: Sendable {
        var rank: Rank
        var id: UInt32
    }

    private var items: ContiguousArray<Item> = []

    var count: Int { items.count }

    var isEmpty: Bool { items.isEmpty }

    /// The ID with the smallest rank.
    var first: UInt32? {
        items.isEmpty ? nil : items[0].id
    }

    /// Adds an ID, or changes its rank.
    mutating func set(_ id: UInt32, rank: Rank, _ positions: inout Positions) {
        while positions.count <= Int(id) { positions.append(.none) }
        let item = Item(rank: rank, id: id)
        guard let position = positions[Int(id)].index else {
            items.append(item)
            siftUp(item, from: items.count - 1, &positions)
            return
        }
        place(item, at: Int(position), &positions)
    }

    /// Removes an ID, if present.
    mutating func remove(_ id: UInt32, _ positions: inout Positions) {
        guard Int(id) < positions.count, let position = positions[Int(id)].index else { return }
        positions[Int(id)] = .none
        let last = items.removeLast()
        if last.id != id { place(last, at: Int(position), &positions) }
    }

    // MARK: Private

    /// Stores an item at a position whose content is no longer needed, and restores the heap order.
    private mutating func place(_ item: Item, at position: Int, _ positions: inout Positions) {
        if position > 0, item.rank < items[(position - 1) / 2].rank {
            siftUp(item, from: position, &positions)
        } else {
            siftDown(item, from: position, &positions)
        }
    }

    private mutating func siftUp(_ item: Item, from start: Int, _ positions: inout Positions) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard item.rank < items[parent].rank else { break }
            store(items[parent], at: position, &positions)
            position = parent
        }
        store(item, at: position, &positions)
    }

    private mutating func siftDown(_ item: Item, from start: Int, _ positions: inout Positions) {
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].rank < items[child].rank { child += 1 }
            guard items[child].rank < item.rank else { break }
            store(items[child], at: position, &positions)
            position = child
        }
        store(item, at: position, &positions)
    }

    private mutating func store(_ item: Item, at position: Int, _ positions: inout Positions) {
        items[position] = item
        positions[Int(item.id)] = SlotLink(UInt32(position))
    }
}

/// The place of a waiting element among those of its band; smaller ranks start earlier.
struct StartRank: Comparable, Sendable {
    /// Derived from the size in the modes that order by size, otherwise 0.
    var size: UInt64 = 0
    var sequence: UInt64

    static func < (left: StartRank, right: StartRank) -> Bool {
        left.size == right.size ? left.sequence < right.sequence : left.size < right.size
    }
}
