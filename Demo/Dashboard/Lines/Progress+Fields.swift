import NetworkQueueKit

extension NetworkQueue.Progress.Sizing {
    /// The counts as text, such as `256 of 2,000`.
    var text: String { "\(ByteCount.digits(Int64(completed))) of \(ByteCount.digits(Int64(total)))" }
}

extension NetworkQueue.Progress {
    /// The fields of a line, in display order.
    var fields: [Field] {
        var fields = [files] + failures(importance: 5) + [bytes]
        guard phase == .transferring else { return fields }
        fields += rate
        if allBytes.expected != nil, let estimatedTimeRemaining {
            fields.append(Field("ETA " + TimeText.clock(estimatedTimeRemaining), reserved: 9, importance: 3))
        }
        return fields
    }

    /// The fields of a group's line, in display order. The counts come first in importance, because failures are listed
    /// elsewhere.
    var groupFields: [Field] { [files] + failures(importance: 3) + [bytes] + rate }

    private func failures(importance: Int) -> [Field] {
        counts.failed > 0 ? [Field("\(counts.failed) failed", .failure, importance: importance)] : []
    }

    private var rate: [Field] {
        guard let rate = bytesPerSecond, rate.isFinite, rate >= 0 else { return [] }
        return [Field(ByteCount.rate(rate), reserved: 10, importance: 2)]
    }

    /// The fraction that the bar shows; 1 only at the end.
    var shownFraction: Double {
        phase == .finished ? 1 : min(fractionCompleted, 0.999)
    }

    /// The percentage, rounded down; 100 only at the end.
    var percent: Int {
        guard phase != .finished else { return 100 }
        return fractionCompleted.isFinite ? min(max(0, Int(fractionCompleted * 100)), 99) : 0
    }

    /// Whether the run has finished and every request has succeeded.
    var isSuccess: Bool { phase == .finished && counts.finished == counts.total }

    /// The bytes of both directions combined.
    var allBytes: Bytes {
        guard upload.transferred > 0 || (upload.expected ?? 0) > 0 else { return download }
        guard download.transferred > 0 || (download.expected ?? 0) > 0 else { return upload }
        var sum = download
        sum.transferred = sum.transferred.addingSaturated(upload.transferred)
        sum.isEstimated = sum.isEstimated || upload.isEstimated
        if let more = upload.expected {
            sum.expected = sum.expected?.addingSaturated(more)
        } else {
            sum.expected = nil
        }
        return sum
    }

    private var files: Field {
        let total = "\(counts.total)"
        let text = "\(counts.finished)/\(total) " + (counts.total == 1 ? "file" : "files")
        return Field(text, reserved: 2 * total.count + 7, importance: 4)
    }

    private var bytes: Field {
        let bytes = allBytes
        guard phase == .transferring, let expected = bytes.expected else {
            return Field(ByteCount.text(bytes.transferred), reserved: phase == .transferring ? 8 : 0, importance: 1)
        }
        let text = ByteCount.text(bytes.transferred, of: expected, isEstimated: bytes.isEstimated)
        return Field(text, reserved: 9 + ByteCount.text(expected).count, importance: 1)
    }
}
