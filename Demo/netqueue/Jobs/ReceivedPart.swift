import Dashboard
import NetworkQueueKit

/// The part of a response's content that had arrived when it broke off.
struct ReceivedPart: Hashable, Sendable {
    let bytes: Int64
    let total: Int64

    /// `nil` if the response has no length, or nothing was missing.
    ///
    /// - Parameter bytes: The number of bytes received in this attempt. The response of a resumed download has a
    ///   `Content-Range`.
    init?(_ head: ResponseHead, bytes: Int64) {
        var start: Int64 = 0
        var total = head.expectedContentLength
        if head.statusCode == 206, case .part(let first, _, let whole?)? = ContentRange(head.headers["Content-Range"]) {
            (start, total) = (first, whole)
        }
        guard let total, bytes > 0, let received = start.adding(bytes), received < total else { return nil }
        (self.bytes, self.total) = (received, total)
    }

    /// The part as text, such as `1,000 of 5,000 bytes`.
    var text: String { "\(ByteCount.digits(bytes)) of \(ByteCount.digits(total)) bytes" }
}
