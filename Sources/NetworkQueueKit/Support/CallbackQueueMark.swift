import Dispatch

/// Tells by `DispatchQueue.getSpecific` whether code runs in a given callback queue.
enum CallbackQueueMark {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Has `isCurrent(_:)` recognize a queue from now on.
    static func put(on queue: DispatchQueue) {
        queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    }

    /// Whether the calling code runs in `queue`, which must have the mark.
    static func isCurrent(_ queue: DispatchQueue) -> Bool {
        DispatchQueue.getSpecific(key: key) == ObjectIdentifier(queue)
    }
}
