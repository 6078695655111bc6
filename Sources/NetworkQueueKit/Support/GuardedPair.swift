#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value behind a lock, and beside it one that needs none, because it belongs to one thread at a time, which hands it on to the
/// next by some means that makes its changes seen. One allocation for both.
///
/// Unchecked: who owns the second value is for the pair's user to say and to keep. Nor does the compiler check that accesses to it
/// are exclusive, as it does for a stored property of a class: that took 2,400 of the 13,000 instructions from one response to
/// the next request.
struct GuardedPair<Shared, Owned>: @unchecked Sendable {
    private struct Guard {
        /// First, where `Storage` looks for it.
        var mutex = pthread_mutex_t()
        var shared: Shared
    }

    private final class Storage: ManagedBuffer<Guard, Owned> {
        deinit {
            withUnsafeMutablePointerToElements { _ = $0.deinitialize(count: 1) }
            // Not by its name: to look up the layout of the guard would take 300 instructions.
            let mutex = withUnsafeMutablePointerToHeader { UnsafeMutableRawPointer($0) }
            pthread_mutex_destroy(mutex.assumingMemoryBound(to: pthread_mutex_t.self))
        }
    }

    private let storage: ManagedBuffer<Guard, Owned>

    init(_ shared: sending Shared, owned: sending Owned) {
        var header = Optional(Guard(shared: shared))
        storage = Storage.create(minimumCapacity: 1) { _ in header.take().unsafelyUnwrapped }
        storage.withUnsafeMutablePointerToElements { $0 }.initialize(to: owned)
        withUnsafeMutablePointer(to: &guardPointer.pointee.mutex) { $0.initializeAdaptive() }
    }

    private var guardPointer: UnsafeMutablePointer<Guard> { storage.withUnsafeMutablePointerToHeader { $0 } }

    /// Calls `body` with the shared value while no other thread has it. Not re-entrant.
    func withLock<Result>(_ body: (inout Shared) -> Result) -> Result {
        let cell = guardPointer
        pthread_mutex_lock(&cell.pointee.mutex)
        defer { pthread_mutex_unlock(&cell.pointee.mutex) }
        return body(&cell.pointee.shared)
    }

    /// The value that belongs to one thread at a time.
    var owned: Owned {
        unsafeAddress { UnsafePointer(storage.withUnsafeMutablePointerToElements { $0 }) }
        nonmutating unsafeMutableAddress { storage.withUnsafeMutablePointerToElements { $0 } }
    }
}
