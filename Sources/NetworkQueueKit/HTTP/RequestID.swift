import Synchronization

/// Tells the operations of one process apart, in the order in which they were created.
public struct RequestID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private static let latest = Atomic<UInt64>(0)

    private let number: UInt64

    /// A new one.
    static func next() -> RequestID {
        RequestID(number: latest.add(1, ordering: .relaxed).newValue)
    }

    /// The order of creation.
    public static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }

    /// The number as text, such as `#12`.
    public var description: String { "#\(number)" }
}
