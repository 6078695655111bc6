/// Finds the operations in a queue that equal a new one. O(1).
///
/// Digesting a request takes a moment, so nothing is kept while duplicates are allowed.
struct DuplicateIndex {
    let isActive: Bool
    /// The latest of those that are equal.
    private var latest: Set<Key> = []
    /// Those that equal one in `latest` and were there before it: they came in while duplicates were allowed.
    private var earlier: [Key: [RequestOperation.ID: RequestOperation]] = [:]

    /// Creates an index of what is in the queue.
    init(isActive: Bool, of operations: [RequestOperation] = []) {
        self.isActive = isActive
        guard isActive else { return }
        for operation in operations {
            let key = Key(operation)
            if let other = latest.update(with: key) { earlier[key, default: [:]][other.operation.id] = other.operation }
        }
    }

    /// Notes an operation and returns those that it duplicates.
    mutating func insert(_ operation: RequestOperation) -> [RequestOperation] {
        guard isActive else { return [] }
        let key = Key(operation)
        guard let other = latest.update(with: key) else { return [] }
        return [other.operation] + (earlier.removeValue(forKey: key).map { Array($0.values) } ?? [])
    }

    /// Forgets an operation. One that is not in the index is ignored.
    mutating func remove(_ operation: RequestOperation) {
        guard isActive else { return }
        let key = Key(operation)
        guard let position = latest.firstIndex(of: key) else { return }
        let isLatest = latest[position].operation === operation
        if isLatest { latest.remove(at: position) }
        guard !earlier.isEmpty, var others = earlier.removeValue(forKey: key) else { return }
        // The others are filed anew: the key that they had may be the operation that goes.
        if isLatest, let heir = others.popFirst()?.value {
            latest.insert(Key(heir))
        } else {
            others[operation.id] = nil
        }
        if !others.isEmpty, let position = latest.firstIndex(of: key) { earlier[latest[position]] = others }
    }

    /// An operation, equal to all whose requests ask for the same and put it in the same place.
    private struct Key: Hashable {
        let operation: RequestOperation
        private let equivalenceHash: Int

        init(_ operation: RequestOperation) {
            self.operation = operation
            if let hash = operation.queueEntry.equivalenceHash {
                equivalenceHash = hash
            } else {
                equivalenceHash = operation.request.equivalenceHash
                operation.queueEntry.equivalenceHash = equivalenceHash
            }
        }

        static func == (left: Key, right: Key) -> Bool {
            left.operation === right.operation
                || left.equivalenceHash == right.equivalenceHash
                    && left.operation.request.isEquivalent(to: right.operation.request)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(equivalenceHash)
        }
    }
}
