import Dispatch
import Foundation

/// Tells by `DispatchQueue.getSpecific` whether code runs in a given callback queue.
enum CallbackQueueMark {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Has `isCurrent(_:)` recognize a queue from now on, unless it is one of the system's global queues: they belong to all, and on
    /// some systems they take no mark. Waits for callbacks on those never block, since other threads go on there.
    static func put(on queue: DispatchQueue) {
        guard !queue.label.hasPrefix("com.apple.root.") else { return }
        queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    }

    /// Whether the calling code runs in `queue`, if that has the mark.
    static func isCurrent(_ queue: DispatchQueue) -> Bool {
        DispatchQueue.getSpecific(key: key) == ObjectIdentifier(queue)
    }
}

/// Tells threads apart.
struct ThreadID: Equatable, Sendable {
    private let value: UInt

    static var current: ThreadID {
        #if canImport(Darwin)
            ThreadID(value: UInt(bitPattern: pthread_self()))
        #else
            ThreadID(value: UInt(pthread_self()))
        #endif
    }
}
