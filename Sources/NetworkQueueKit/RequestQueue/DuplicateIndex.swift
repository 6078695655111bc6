/// Finds the operations in a queue that may equal a new one: those with the same hash. O(1).
///
/// Whether they are equal is for the caller to find out, outside the queue's lock: it may have to compare whole contents. Hashing a
/// request takes a moment, so nothing is kept while duplicates are allowed.
struct DuplicateIndex {
    let isActive: Bool
    /// The latest operation of each hash.
    private var latest: [UInt32: RequestOperation] = [:]
    /// Those that were there before it: they came in while duplicates were allowed, or differ where the hash does not look.
    private var earlier: [UInt32: [RequestID: RequestOperation]] = [:]

    /// Creates an index of what is in the queue.
    init(isActive: Bool, of operations: [RequestOperation] = []) {
        self.isActive = isActive
        guard isActive else { return }
        for operation in operations { _ = insert(operation, hash: nil) }
    }

    /// Notes an operation and returns those that may equal it.
    ///
    /// - Parameter hash: `nil` where it has not been worked out yet.
    mutating func insert(_ operation: RequestOperation, hash: UInt32?) -> [RequestOperation] {
        guard isActive, !operation.queueEntry.isExemptFromDuplicates else { return [] }
        let hash = hash ?? operation.request.equivalenceHash
        operation.queueEntry.equivalenceHash = hash
        guard let former = latest.updateValue(operation, forKey: hash) else { return [] }
        earlier[hash, default: [:]][former.id] = former
        return earlier[hash].map { Array($0.values) } ?? []
    }

    /// Forgets an operation. One that is not in the index is ignored.
    mutating func remove(_ operation: RequestOperation) {
        guard isActive, let hash = operation.queueEntry.equivalenceHash else { return }
        if latest[hash] === operation {
            latest[hash] = earlier[hash]?.popFirst()?.value
        } else {
            earlier[hash]?[operation.id] = nil
        }
        if earlier[hash]?.isEmpty == true { earlier[hash] = nil }
    }
}
