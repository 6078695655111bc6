import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// What a receiver was told of one exchange. Each event returns how it breaks the contract, if it does.
struct Transcript: Sendable {
    /// The counts of sent bytes, in order.
    private(set) var sent: [Int64] = []
    private(set) var head: ResponseHead?
    /// The beginning of the body, see ``EventRecorder/keptBodySize``.
    private(set) var body = Data()
    private(set) var bodyLength: Int64 = 0
    private(set) var isComplete = false
    /// How the exchange ended; `nil` also while it has not.
    private(set) var error: URLError?

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether a response arrived whole.
    var hasSucceeded: Bool { isComplete && error == nil && head != nil }

    mutating func didSend(_ totalBytes: Int64) -> String? {
        sent.append(totalBytes)
        return isComplete ? "after the completion" : totalBytes <= 0 ? "with \(totalBytes) bytes" : nil
    }

    mutating func didReceive(_ head: ResponseHead) -> String? {
        defer { self.head = head }
        if isComplete { return "after the completion" }
        if self.head != nil { return "for the second time" }
        return (100..<200).contains(head.statusCode) ? "for an interim response" : nil
    }

    mutating func didReceive(_ bytes: UnsafeRawBufferPointer) -> String? {
        let kept = min(bytes.count, EventRecorder.keptBodySize - body.count)
        if kept > 0 { body.append(contentsOf: bytes.prefix(kept)) }
        bodyLength += Int64(bytes.count)
        if isComplete { return "after the completion" }
        return head == nil ? "before the head" : bytes.isEmpty ? "without a byte" : nil
    }

    mutating func didComplete(_ error: URLError?) -> String? {
        defer { (isComplete, self.error) = (true, error) }
        if isComplete { return "for the second time" }
        return error == nil && head == nil ? "successfully without a head" : nil
    }
}
