import Foundation

/// A value behind a lock.
///
/// It has the interface of `Synchronization.Mutex` and stands in for it. On Linux that is a priority-inheritance futex,
/// which hands itself to the longest waiter: with threads competing, every unlock costs a context switch. And its
/// contended path is out of ThreadSanitizer's sight, which then reports races where there are none.
///
/// Most locks are taken while no other is held. Which are taken under which is written on the page "Architecture" of
/// the documentation, and where they are; a new pair goes there, too.
package struct Guarded<Value>: @unchecked Sendable {
    // Unchecked: the value is only touched between lock and unlock.

    /// One allocation for both: the mutex must not move, and is therefore no stored property.
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

    /// Calls `body` with the value while no other thread has it. Not re-entrant.
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
    /// The instances of ``Guarded`` whose locks the calling thread holds.
    enum HeldLocks {
        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key, nil)
            return key
        }()

        /// How many there are.
        static var count: Int {
            get { Int(bitPattern: pthread_getspecific(key)) }
            set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
        }
    }
#endif

/// Texts do not show the value, nor the lock, which other threads may change meanwhile.
extension Guarded: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}
