import Foundation

/// The beginning of a rejected response's content. Belongs to one thread at a time, as its `RequestRun` does.
final class BodyExcerpt: @unchecked Sendable {
    /// How much of an error page is kept.
    static let usualLimit = 64 * 1024

    private(set) var data = Data()
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Keeps what fits; returns whether all of it did.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let room = limit - data.count
        data.append(contentsOf: bytes.prefix(room))
        return bytes.count <= room
    }
}
