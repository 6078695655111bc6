/// A priority queue of small integers with changeable ranks; the smallest rank comes first.
///
/// `first` is O(1), and every change is O(log `count`). Memory is proportional to the largest integer ever added.
struct IndexedHeap: Sendable {
    private struct Item: Sendable {
        var rank: UInt64
        var id: UInt32
    }

    private var items: ContiguousArray<Item> = []
    /// The position of each ID in `items`.
    private var positions: ContiguousArray<SlotLink> = []

    var count: Int { items.count }

    var isEmpty: Bool { items.isEmpty }

    /// The ID with the smallest rank.
    var first: UInt32? {
        items.isEmpty ? nil : items[0].id
    }

    /// Adds an ID, or changes its rank.
    mutating func set(_ id: UInt32, rank: UInt64) {
        while positions.count <= Int(id) { positions.append(.none) }
        let item = Item(rank: rank, id: id)
        guard let position = positions[Int(id)].index else {
            items.append(item)
            siftUp(item, from: items.count - 1)
            return
        }
        place(item, at: Int(position))
    }

    /// Removes an ID, if present.
    mutating func remove(_ id: UInt32) {
        guard Int(id) < positions.count, let position = positions[Int(id)].index else { return }
        positions[Int(id)] = .none
        let last = items.removeLast()
        if last.id != id { place(last, at: Int(position)) }
    }

    // MARK: Private

    /// Stores an item at a position whose content is no longer needed, and restores the heap order.
    private mutating func place(_ item: Item, at position: Int) {
        if position > 0, item.rank < items[(position - 1) / 2].rank {
            siftUp(item, from: position)
        } else {
            siftDown(item, from: position)
        }
    }

    private mutating func siftUp(_ item: Item, from start: Int) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard item.rank < items[parent].rank else { break }
            store(items[parent], at: position)
            position = parent
        }
        store(item, at: position)
    }

    private mutating func siftDown(_ item: Item, from start: Int) {
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].rank < items[child].rank { child += 1 }
            guard items[child].rank < item.rank else { break }
            store(items[child], at: position)
            position = child
        }
        store(item, at: position)
    }

    private mutating func store(_ item: Item, at position: Int) {
        items[position] = item
        positions[Int(item.id)] = SlotLink(UInt32(position))
    }
}
