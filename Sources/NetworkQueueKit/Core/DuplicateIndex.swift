/// Finds the elements of a queue that may equal a new one: those with the same hash. O(1).
///
/// Whether they are equal is for the caller to find out, outside the queue's lock: it may have to compare whole contents. Hashing a
/// request takes a moment, so nothing is kept while duplicates are allowed.
struct DuplicateIndex<Element: QueueElement> {
    let isActive: Bool
    /// The latest element of each hash.
    private var latest: [UInt32: Element] = [:]
    /// Those that were there before it: they came in while duplicates were allowed, or differ where the hash does not look.
    private var earlier: [UInt32: [Element.ID: Element]] = [:]

    /// Creates an index of what is in the queue.
    init(isActive: Bool, of elements: [Element] = []) {
        self.isActive = isActive
        guard isActive else { return }
        for element in elements { _ = insert(element, hash: nil) }
    }

    /// Notes an element and returns those that may equal it.
    ///
    /// - Parameter hash: `nil` where it has not been worked out yet.
    mutating func insert(_ element: Element, hash: UInt32?) -> [Element] {
        guard isActive, !element.queueEntry.isExemptFromDuplicates else { return [] }
        let hash = hash ?? element.equivalenceHash
        element.queueEntry.equivalenceHash = hash
        guard let former = latest.updateValue(element, forKey: hash) else { return [] }
        earlier[hash, default: [:]][former.id] = former
        return earlier[hash].map { Array($0.values) } ?? []
    }

    /// Forgets an element. One that is not in the index is ignored.
    mutating func remove(_ element: Element) {
        guard isActive, let hash = element.queueEntry.equivalenceHash else { return }
        if latest[hash] === element {
            latest[hash] = earlier[hash]?.popFirst()?.value
        } else {
            earlier[hash]?[element.id] = nil
        }
        if earlier[hash]?.isEmpty == true { earlier[hash] = nil }
    }
}

extension DuplicateIndex: Sendable where Element: Sendable {}
