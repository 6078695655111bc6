import Foundation

/// Content that the user's code brings. Equal to itself alone: what it will bring cannot be known.
final class StreamSource: Sendable, Hashable {
    let length: Int64
    let read: @Sendable (_ offset: Int64, _ maximumCount: Int) throws -> Data

    init(length: Int64, read: @escaping @Sendable (_ offset: Int64, _ maximumCount: Int) throws -> Data) {
        self.length = max(length, 0)
        self.read = read
    }

    static func == (left: StreamSource, right: StreamSource) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
