#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value behind a lock.
///
/// It has the interface of `Synchronization.Mutex` and stands in for it. On Linux that is a priority-inheritance futex,
/// which hands itself to the longest waiter: with threads competing, every unlock costs a context switch. And its
/// contended path is out of ThreadSanitizer's sight, which then reports races that are none.
package struct Guarded<Value>: @unchecked Sendable {
    // Unchecked: the value is only touched between lock and unlock.

    /// One allocation for both: the mutex must not move, and is therefore no stored property.
    private typealias Storage = ManagedBuffer<Value, pthread_mutex_t>

    private final class Buffer: ManagedBuffer<Value, pthread_mutex_t> {
        deinit {
            _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
        }
    }

    private let storage: Storage

    /// Creates a lock around `value`.
    package init(_ value: sending Value) {
        storage = Buffer.create(minimumCapacity: 1) { _ in value }
        storage.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }
    }

    /// Calls `body` with the value while no other thread has it. Not re-entrant.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        // The pointers stay valid as long as the storage, which `self` keeps alive.
        nonisolated(unsafe) let (value, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
