import Foundation

/// A value protected by a lock.
///
/// It has the interface of `Synchronization.Mutex` and replaces it. On Linux a `Mutex` is a priority-inheritance futex,
/// which hands itself to the longest waiter: under contention, every unlock costs a context switch. Also,
/// ThreadSanitizer does not see its contended path, and reports races that do not exist.
///
/// Most locks are taken while no other is held. The article “Architecture” lists which locks are taken under which
/// others, and where; add a new pair there.
package struct Guarded<Value>: @unchecked Sendable {
    // Unchecked: the value is only accessed under the lock.

    /// One allocation for both. The mutex must not move, so it is not a stored property.
    private final class Storage: ManagedBuffer<pthread_mutex_t, Value> {
        deinit {
            withUnsafeMutablePointers { mutex, value in
                value.deinitialize(count: 1)
                pthread_mutex_destroy(mutex)
            }
        }
    }

    private let storage: ManagedBuffer<pthread_mutex_t, Value>

    /// Creates a lock around `value`.
    package init(_ value: sending Value) {
        storage = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        let (mutex, place) = storage.withUnsafeMutablePointers { ($0, $1) }
        place.initialize(to: value)
        mutex.initializeAdaptive()
    }

    /// Calls `body` with the value under the lock. Not reentrant.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        // The pointers stay valid as long as the storage, which `self` keeps alive.
        nonisolated(unsafe) let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        #if DEBUG
            HeldLocks.count += 1
            defer { HeldLocks.count -= 1 }
        #endif
        return try body(&value.pointee)
    }
}

#if DEBUG
    /// The ``Guarded`` locks that the calling thread holds.
    enum HeldLocks {
        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key, nil)
            return key
        }()

        static var count: Int {
            get { Int(bitPattern: pthread_getspecific(key)) }
            set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
        }
    }
#endif

/// Mirrors show neither the value nor the lock: other threads may be changing them.
extension Guarded: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}
