import Foundation

/// A value guarded by a lock. netqueue has its own, because it uses only the library's public API.
///
/// `@unchecked`, because the value is accessed only while the lock is held. Not `Synchronization.Mutex`: on Linux
/// ThreadSanitizer does not see its lock and reports false races.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: consuming sending Value) { self.value = value }

    /// Calls `body` with exclusive access to the value.
    func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
