@testable import NetworkQueueKit

/// The ledger's rules said once more, plainly: it keeps every request and adds them all up for each question.
struct NaiveLedger {
    struct Request {
        let hasBody: Bool
        let upload: Int?
        let isSample: Bool
        var sized: Int?
        var isMissing = false
        var head: Int?
        var got = 0
        var sent = 0
        var state = State.waiting

        var isGone: Bool { state == .failed || state == .cancelled }
        var isOpen: Bool { state != .finished && !isGone }
    }

    enum State { case waiting, running, retrying, finished, failed, cancelled }

    /// One direction of the requests that are not gone, added up.
    struct Sum {
        var transferred = 0
        var firm = 0
        var known = 0
        var samples = 0
        var sampleBytes = 0
        var untouched = 0
        var begun = 0
        var begunBytes = 0

        mutating func add(_ bytes: Int, of size: Int?, isSample: Bool, isGuessed: Bool, isMissing: Bool = false) {
            transferred += bytes
            if isMissing, size == nil, bytes == 0 { return }
            if let size {
                known += 1
                firm += max(size, bytes)
                if isSample { (samples, sampleBytes) = (samples + 1, sampleBytes + max(size, bytes)) }
            } else if !isGuessed {
                firm += bytes
            } else if bytes > 0 {
                (begun, begunBytes) = (begun + 1, begunBytes + bytes)
            } else {
                untouched += 1
            }
        }

        var isBlind: Bool { samples == 0 && untouched + begun > 0 }

        var expected: Int? {
            if known == 0 || isBlind { return nil }
            guard untouched + begun > 0 else { return firm }
            return firm + sampleBytes * untouched / samples + max(sampleBytes * begun / samples, begunBytes)
        }

        var bytes: NetworkQueue.Progress.Bytes {
            .init(
                transferred: Int64(transferred), expected: expected.map(Int64.init),
                isEstimated: samples > 0 && untouched + begun > 0)
        }
    }

    var requests: [Request] = []
    /// Whether one that was said to be missing was there.
    var estimatesMissing = false

    /// All that the ledger should show, with the fraction as it is before it is kept from going back.
    func addUp(isAccurate: Bool) -> NetworkQueue.Progress {
        var (down, up, counts) = (Sum(), Sum(), NetworkQueue.Progress.Counts())
        for request in requests {
            counts.total += 1
            switch request.state {
            case .waiting: counts.waiting += 1
            case .running: counts.running += 1
            case .retrying: counts.retrying += 1
            case .finished: counts.finished += 1
            case .failed: counts.failed += 1
            case .cancelled: counts.cancelled += 1
            }
            if request.isGone { continue }
            let isFinished = request.state == .finished
            down.add(
                request.got, of: isFinished ? request.got : request.head ?? request.sized,
                isSample: request.isSample, isGuessed: request.isSample,
                isMissing: request.isMissing && !estimatesMissing)
            up.add(
                request.sent, of: isFinished ? request.sent : request.hasBody ? request.upload : 0 as Int?,
                isSample: request.hasBody, isGuessed: true)
        }
        var fraction = 0.0
        let expected = (down.expected ?? 0) + (up.expected ?? 0)
        let wanted = counts.total - counts.failed - counts.cancelled
        if isAccurate, !down.isBlind, !up.isBlind, expected > 0 {
            let there = (down.expected == nil ? 0 : down.transferred) + (up.expected == nil ? 0 : up.transferred)
            fraction = Double(there) / Double(expected)
        } else if wanted > 0 {
            fraction = Double(counts.finished) / Double(wanted)
        }
        return .init(counts: counts, download: down.bytes, upload: up.bytes, fractionCompleted: fraction)
    }
}
