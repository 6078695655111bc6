import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// The promises of progress, for groups, under random failures, retries, pauses, cancellations and late members.
/// `NQK_SEED` repeats a run.
@Suite(.timeLimit(.minutes(10)))
struct GroupProgressTests {
    private static let firstSeed =
        ProcessInfo.processInfo.environment["NQK_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<(1 << 32))

    @Test func `Groups keep the promises of progress, and add up to the queue`() async {
        for seed in Self.firstSeed..<Self.firstSeed + 1000 {
            var round = GroupRound(seed: seed)
            if let fault = await round.run() {
                Issue.record("NQK_SEED=\(seed): \(fault)")
                return
            }
        }
    }
}

/// One run of a queue in whose groups something random happens at each step.
private struct GroupRound {
    private var random: SplitMix64
    private let rig: QueueRig<NetworkQueue>
    private let names = ["a", "b", "c"]
    private let areSizesKnown: Bool
    private var operations: [RequestOperation] = []
    /// The fractions that were seen last, by the group's name.
    private var fractions: [String: Double] = [:]
    private var fault: String?

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        areSizesKnown = Bool.random(using: &random)
        let limit = Int.random(in: 1...4, using: &random)
        rig = QueueRig(configure: {
            $0.maxConcurrentRequestCount = limit
            $0.cancelsAllOnFailure = false
            $0.maxConcurrentSizingCount = 0
            $0.sizingTimeout = .zero
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(1)))
        })
    }

    mutating func run() async -> String? {
        for _ in 0..<3 { add() }
        check()
        rig.queue.go()
        rig.settle()
        for _ in 0..<40 where fault == nil {
            step()
            check()
        }
        rig.queue.cancelAll()
        for operation in operations { operation.cancel() }
        await rig.recorder.waitForDrain()
        rig.settle()
        checkEnds()
        return fault
    }

    private mutating func add() {
        let group = rig.queue.group(names.randomElement(using: &random) ?? "a")
        let size = Int64.random(in: 0...40, using: &random)
        operations.append(
            group.add(
                .test("\(operations.count)") { [areSizesKnown] in
                    $0.expectedDownloadSize = areSizesKnown ? size : nil
                }))
        // The first member after an end begins a new pass.
        if fractions[group.name] == 1 { fractions[group.name] = 0 }
    }

    private mutating func step() {
        let open = rig.transport.exchanges.filter { !$0.isOver && $0.exchange.method == "GET" }
        let (exchange, operation) = (open.randomElement(using: &random), operations.randomElement(using: &random))
        let count = Int.random(in: 0...20, using: &random)
        switch Int.random(in: 0..<14, using: &random) {
        case ..<3: add()
        case 3: operation?.pause()
        case 4, 5: operation?.resume()
        case 6: operation?.cancel()
        case 7: exchange?.end(.networkConnectionLost)
        case 8: exchange?.answer(.status(404))
        case 9: rig.advance(by: .seconds(1))
        case 10, 11:
            exchange?.receive(headers: Bool.random(using: &random) ? ["Content-Length": "20"] : [:])
            exchange?.receive(Data(count: count))
        default: exchange?.answer(.ok(Data(count: count)))
        }
        rig.settle()
    }

    private mutating func check() {
        let groups = rig.queue.groups
        let (parts, total) = (groups.map(\.progress), rig.queue.progress)
        for (group, progress) in zip(groups, parts) {
            let fraction = progress.fractionCompleted
            if fraction < fractions[group.name] ?? 0 || fraction > 1 {
                fault = "\(group.name): \(fraction) after \(fractions[group.name] ?? 0)"
            }
            if (fraction == 1) != (progress.phase == .finished) || (fraction == 1) != group.requests.isEmpty {
                fault = "\(group.name): \(fraction), \(progress.phase), \(group.requests.count) requests"
            }
            fractions[group.name] = fraction
        }
        // After the drain there are none.
        guard !groups.isEmpty else {
            fractions = [:]
            return
        }
        let counts = parts.map(\.counts)
        for key in [\QueueProgress.Counts.total, \.waiting, \.running, \.paused, \.retrying, \.finished, \.failed]
        where counts.map({ $0[keyPath: key] }).reduce(0, +) != total.counts[keyPath: key] {
            fault = "\(counts) do not add up to \(total.counts)"
        }
        if parts.map(\.download.transferred).reduce(0, +) != total.download.transferred {
            fault = "\(parts.map(\.download)) do not add up to \(total.download)"
        }
        let known = parts.map(\.download).filter { !$0.isEstimated }
        if known.count == parts.count, !total.download.isEstimated,
            case let sum = known.compactMap(\.expected).reduce(0, +), let expected = total.download.expected,
            sum != expected
        {
            fault = "\(parts.map(\.download)) do not add up to \(total.download)"
        }
    }

    /// Every group has ended as often as it has begun, and its passes add up to all members.
    private mutating func checkEnds() {
        let ended = rig.recorder.groupEnds.map(\.summary.counts.total).reduce(0, +)
        if ended != operations.count { fault = "\(ended) of \(operations.count) members in the summaries of groups" }
        let drained = rig.recorder.summaries.map(\.counts.total).reduce(0, +)
        if drained != operations.count { fault = "\(drained) of \(operations.count) members in the summaries" }
    }
}
