import Dashboard
import Foundation
import NetworkQueueKit

/// Keeps the beginning of the response to an upload.
final class AnswerSink: DownloadSink {
    /// As much as the library keeps of an error's.
    private static let limit = 64 * 1024

    private let content = Locked(Data())

    /// What has come; empty where nothing has.
    var data: Data { content.withLock { $0 } }

    func begin(_ head: ResponseHead) { content.withLock { $0 = Data() } }

    func write(_ chunk: Data) {
        content.withLock { $0 += chunk.prefix(Self.limit - $0.count) }
    }

    func abandon() {}
}

extension RequestOperation {
    /// The content of the response to an upload, at most 64 KiB, whatever its status; `nil` where it has none, and for
    /// downloads.
    var answer: Data? {
        guard request.body != nil else { return nil }
        var data = error?.response?.data
        if error == nil, case .sink(let sink as AnswerSink) = request.destination { data = sink.data }
        return data?.isEmpty == false ? data : nil
    }

    /// The same in one line of at most 200 bytes, fit for a terminal.
    var answerLine: String? {
        guard let answer else { return nil }
        // More than what fits, as white space goes.
        let text = String(decoding: answer.prefix(2000), as: UTF8.self).withoutControls(replacement: " ")
        var line = text.split(separator: " ").joined(separator: " ")
        guard line.utf8.count > 200 else { return line.isEmpty ? nil : line }
        let mark = "…"
        while line.utf8.count + mark.utf8.count > 200 { line.removeLast() }
        return line + mark
    }
}
