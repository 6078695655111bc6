import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct ProgressLedgerRandomTests {
    @Test
    func `The ledger's sums are those of all requests added up, and its fraction keeps its promises`() {
        let seed = ProcessInfo.processInfo.environment["NQK_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)
        print("ProgressLedgerRandomTests: NQK_SEED=\(seed)")
        var events = 0
        var player = Player(seed: seed)
        while events < 200_000 {
            guard let played = player.playRun() else {
                Issue.record("seed \(seed): \(player.complaint ?? "") after \(events) events")
                return
            }
            events += played
        }
    }
}

/// Plays the same random run on a ledger and on the naive one.
private struct Player {
    private var random: SplitMix64
    private var ledger = ProgressLedger()
    private var naive = NaiveLedger()
    private var accounts: [ProgressLedger.Account] = []
    private var now = Duration.zero
    private var shown = 0.0
    private(set) var complaint: String?

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Returns the number of events, or nil after a complaint.
    mutating func playRun() -> Int? {
        ledger.reset()
        naive = NaiveLedger()
        accounts = []
        shown = 0
        ledger.isAccurate = Int.random(in: 0..<4, using: &random) > 0
        let isSized = Bool.random(using: &random)
        let length = Int.random(in: 1...600, using: &random)
        if isSized { ledger.enter(.sizing(completed: 0, total: 1), now: now) }
        if Bool.random(using: &random) { open() }
        guard check() else { return nil }
        ledger.enter(.transferring, now: now)
        for _ in 0..<length {
            step()
            now += .milliseconds(Int.random(in: 0...300, using: &random))
            guard check() else { return nil }
        }
        ledger.finishRun()
        guard check() else { return nil }
        return length
    }

    private mutating func open() {
        let hasBody = Int.random(in: 0..<3, using: &random) == 0
        let upload: Int? = Bool.random(using: &random) ? Int.random(in: 0...5000, using: &random) : nil
        let size = Int.random(in: 0..<3, using: &random) == 0 ? claim() : nil
        accounts.append(ledger.open(uploadLength: upload.map(Int64.init), expectedDownload: size, hasBody: hasBody))
        naive.requests.append(
            .init(hasBody: hasBody, upload: upload, isSample: !hasBody && size != 0, sized: believed(size)))
    }

    /// A size, now and then an absurd one.
    private mutating func claim() -> Int64? {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: nil
        case 1: [0, -7, .max, .min, 1 << 62].randomElement(using: &random)
        default: Int64.random(in: 0...10_000, using: &random)
        }
    }

    private func believed(_ claim: Int64?) -> Int? {
        claim.flatMap { $0 < 0 || $0 > 1 << 50 ? nil : Int($0) }
    }

    private mutating func step() {
        guard let index = accounts.indices.randomElement(using: &random) else { return open() }
        let isRunning = naive.requests[index].state == .running
        let isOpen = naive.requests[index].isOpen
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<3:
            if accounts.count < 24 { open() }
        case 3:
            let size = claim()
            ledger.setSize(size, &accounts[index])
            let isWaiting = naive.requests[index].state == .waiting
            if isWaiting, let size = believed(size) { naive.requests[index].sized = size }
            if isWaiting, Int.random(in: 0..<3, using: &random) == 0 {
                ledger.setMissing(&accounts[index])
                naive.requests[index].isMissing = true
            }
        case 4..<12:
            ledger.start(&accounts[index])
            if isOpen { naive.requests[index].state = .running }
        case 12..<17:
            let length = claim()
            let offset = Bool.random(using: &random) ? 0 : Int.random(in: 0...3000, using: &random)
            ledger.receiveHead(contentLength: length, resumedFrom: Int64(offset), &accounts[index])
            guard isRunning else { return }
            naive.requests[index].head = believed(length).map { $0 + offset }
            naive.requests[index].got = offset
            if naive.requests[index].isMissing { naive.estimatesMissing = true }
            naive.requests[index].isMissing = false
        case 17..<29:
            let bytes = Int.random(in: 0...900, using: &random)
            ledger.receive(Int64(bytes), &accounts[index])
            if isRunning { naive.requests[index].got += bytes }
        case 29..<35:
            let total = Int.random(in: 0...5500, using: &random)
            ledger.send(Int64(total), &accounts[index])
            if isRunning { naive.requests[index].sent = total }
        case 35..<38:
            let keepingSize = Bool.random(using: &random)
            ledger.failAttempt(keepingSize: keepingSize, &accounts[index])
            guard isRunning else { return }
            if keepingSize, let head = naive.requests[index].head { naive.requests[index].sized = head }
            naive.requests[index].head = nil
            naive.requests[index].got = 0
            naive.requests[index].sent = 0
            naive.requests[index].state = .retrying
        default:
            let ends: [(RequestResult.Outcome, NaiveLedger.State)] = [
                (.finished, .finished), (.failed, .failed), (.cancelled, .cancelled),
            ]
            let (outcome, state) = ends[Int.random(in: 0..<3, using: &random)]
            ledger.end(outcome, &accounts[index])
            if isOpen { naive.requests[index].state = state }
        }
    }

    private mutating func check() -> Bool {
        let seen = ledger.snapshot(now: now)
        complaint = fault(in: seen).map { "\($0) in \(seen)" }
        shown = seen.fractionCompleted
        return complaint == nil
    }

    private func fault(in seen: NetworkQueue.Progress) -> String? {
        let naive = naive.addUp(isAccurate: ledger.isAccurate)
        if seen.counts != naive.counts { return "counts ≠ \(naive.counts)" }
        if seen.download != naive.download { return "download ≠ \(naive.download)" }
        if seen.upload != naive.upload { return "upload ≠ \(naive.upload)" }
        for bytes in [seen.download, seen.upload] where bytes.transferred > bytes.expected ?? .max {
            return "transferred > expected"
        }
        let fraction: Double
        switch seen.phase {
        case .finished: fraction = 1
        case .transferring: fraction = max(shown, min(0.999, naive.fractionCompleted))
        default: fraction = 0
        }
        if seen.fractionCompleted != fraction { return "fraction ≠ \(fraction)" }
        if seen.fractionCompleted < shown { return "the fraction went back from \(shown)" }
        if let rate = seen.bytesPerSecond, !(rate.isFinite && rate >= 1) { return "rate" }
        if let rest = seen.estimatedTimeRemaining, rest <= .zero || rest > .seconds(8_640_000) { return "time left" }
        return nil
    }
}
