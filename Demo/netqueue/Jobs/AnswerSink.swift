import Foundation
import NetworkQueueKit

/// Keeps the beginning of the response to an upload.
final class AnswerSink: DownloadSink {
    /// The size that the library keeps of an error's content.
    private static let limit = 64 * 1024

    private let content = Locked(Data())

    /// The content received so far.
    var data: Data { content.withLock { $0 } }

    func begin(_ head: ResponseHead) { content.withLock { $0 = Data() } }

    func write(_ chunk: Data) {
        content.withLock { $0 += chunk.prefix(Self.limit - $0.count) }
    }
}

extension RequestOperation {
    /// The content of the response to an upload, at most 64 KiB, whatever its status; `nil` for empty content and for
    /// downloads.
    var answer: Data? {
        guard request.body != nil else { return nil }
        var data = error?.response?.data
        if error == nil, case .sink(let sink as AnswerSink) = request.destination { data = sink.data }
        return data?.isEmpty == false ? data : nil
    }
}
