import Foundation

/// A value behind a lock.
///
/// Unchecked: the value is only touched between lock and unlock. Not `Synchronization.Mutex`: on Linux ThreadSanitizer
/// does not see its lock, and reports races behind it.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: consuming sending Value) { self.value = value }

    /// Calls `body` with the value while no other thread has it.
    func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
