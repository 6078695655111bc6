/// Observers that wait for a value to satisfy a condition. Plain state: the owner locks it, and calls the returned
/// closures outside the lock.
struct Observers<Value> {
    /// Called once: with true when the condition holds, with false when the wait was given up.
    typealias Resume = @Sendable (Bool) -> Void

    private struct Observer {
        let condition: @Sendable (Value) -> Bool
        let resume: Resume
    }

    private var observers: [Int: Observer] = [:]
    private var nextID = 0

    /// Registers an observer and returns an ID for ``giveUp(_:)``.
    mutating func add(_ condition: @escaping @Sendable (Value) -> Bool, resume: @escaping Resume) -> Int {
        nextID += 1
        observers[nextID] = Observer(condition: condition, resume: resume)
        return nextID
    }

    /// Removes the observers whose condition holds and returns their closures, to be called with true.
    mutating func take(satisfiedBy value: Value) -> [Resume] {
        guard !observers.isEmpty else { return [] }
        let satisfied = observers.filter { $0.value.condition(value) }
        for id in satisfied.keys { observers[id] = nil }
        return satisfied.values.map(\.resume)
    }

    /// Removes an observer and returns its closure, to be called with false; `nil` if it was already removed.
    mutating func giveUp(_ id: Int) -> Resume? {
        observers.removeValue(forKey: id)?.resume
    }
}
