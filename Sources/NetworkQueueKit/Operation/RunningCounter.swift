import Synchronization

/// How many operations run. Counting costs an atomic addition and a look at whether anything observes it.
final class RunningCounter: Sendable {
    private let count = Atomic(0)
    private let isObserved = Atomic(false)
    private let observer = Guarded(Observer())

    /// A type of its own: a closure that is itself the generic value would be wrapped once more each time that it is read.
    private struct Observer {
        var body: (@Sendable () -> Void)?
    }

    // Sequentially consistent: who counts looks for an observer afterwards, and who observes looks at the count afterwards. One
    // of the two sees the other.

    /// The count at this moment.
    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Counts an operation that starts (1) or ends (-1). Call ``report()`` afterwards, outside of any lock.
    func add(_ difference: Int) {
        count.add(difference, ordering: .sequentiallyConsistent)
    }

    /// Tells the observer, where there is one, that the count has changed.
    func report() {
        guard isObserved.load(ordering: .sequentiallyConsistent) else { return }
        observer.withLock { $0.body }?()
    }

    /// Sets the observer, which is called on whatever thread a change is made.
    func observe(_ body: @escaping @Sendable () -> Void) {
        observer.withLock { $0.body = body }
        isObserved.store(true, ordering: .sequentiallyConsistent)
    }
}
