/// Those who wait for a value to satisfy a condition. Plain state: its owner locks, and calls what it returns unlocked.
struct Observers<Value> {
    /// Told once: true when the condition held, false when it was given up.
    typealias Resume = @Sendable (Bool) -> Void

    private struct Observer {
        let condition: @Sendable (Value) -> Bool
        let resume: Resume
    }

    private var observers: [Int: Observer] = [:]
    private var nextID = 0

    /// Registers an observer and returns the name by which it can be given up.
    mutating func add(_ condition: @escaping @Sendable (Value) -> Bool, resume: @escaping Resume) -> Int {
        nextID += 1
        observers[nextID] = Observer(condition: condition, resume: resume)
        return nextID
    }

    /// Removes those whose condition holds, to be called with true.
    mutating func take(satisfiedBy value: Value) -> [Resume] {
        guard !observers.isEmpty else { return [] }
        let satisfied = observers.filter { $0.value.condition(value) }
        for id in satisfied.keys { observers[id] = nil }
        return satisfied.values.map(\.resume)
    }

    /// Removes one, to be called with false; `nil` if it was told already.
    mutating func giveUp(_ id: Int) -> Resume? {
        observers.removeValue(forKey: id)?.resume
    }
}
