import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// A batch of its own. All of its requests are known before it runs, so that its promises can be checked exactly: about
/// stages, groups, its plan, its rate, its callbacks, and names that look the same. Others pause and cancel its
/// operations meanwhile.
final class Trial: Sendable {
    private enum Answer { case none, start, startSome, cancel }

    private let faults: Faults
    private let origin: Origin
    private let queue: NetworkQueue
    private let told = Stories()
    private let witness: DelegateWitness
    private let rate: RequestRate?
    private let key = UUID().uuidString
    private let answer: Answer
    let cases: [Case]

    init(_ player: Player, _ dice: inout Dice) {
        let (faults, origin, key) = (player.faults, player.origin, key)
        (self.faults, self.origin) = (faults, origin)
        rate = dice.pick([nil, RequestRate(5, per: .milliseconds(20))])
        answer = dice.pick([.none, .start, .startSome, .cancel])
        witness = DelegateWitness(told, PlanWitness(seed: dice.next(), faults), faults)
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = dice.isOne(in: 2)
        configuration.cancelsAllOnFailure = false
        configuration.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.zero))
        if dice.isOne(in: 2) { configuration.requestRate = rate } else { configuration.requestRatePerHost = rate }
        let callbacks = DispatchQueue(label: "chaos.trial")
        queue = NetworkQueue(configuration: configuration, transport: player.transport, delegateQueue: callbacks)
        cases = (0..<dice.number(4..<16)).map { index in
            let number = dice.number(0..<origin.contents.count)
            var request = NetworkRequest(
                origin.url("run", number).appending(queryItems: [URLQueryItem(name: key, value: nil)]))
            request.stage = dice.pick([-1, 0, 0, 1])
            request.group = dice.pick(Player.groups)
            // Two names each are the same text in other bytes, for which APFS has one file.
            #if canImport(Darwin)
                let name = "\(key)\(index)"
            #else
                let name = "\(key)\(index / 2)\(index % 2 == 0 ? "\u{e9}" : "e\u{301}")"
            #endif
            let file = player.folder.appending(path: name)
            request.destination = .file(file, onConflict: .fail)
            let operation = RequestOperation(request)
            let completions = Guarded(0)
            operation.completionHandler = { _, _, _ in completions.withLock { $0 += 1 } }
            return Case(operation, origin.contents[number], .file(file), completions: completions)
        }
        queue.delegate = witness
        player.remains.note(queue)
    }

    func run() async {
        let began = ContinuousClock().now
        for one in cases { queue.add(one.operation) }
        let groups = Player.groups.map { queue.group($0) }
        faults.expect(
            groups.reduce(0) { $0 + $1.progress.counts.total } == cases.count, "the groups do not count every request")
        let (questions, leftOut) = ask()
        let summary = await queue.run()
        for fault in told.faults(isDirect: true) { faults.report("trial: \(fault)") }
        let operations = cases.map(\.operation)
        for one in cases {
            let story = told[one.operation.id]
            let count = (one.completions?.withLock { $0 } ?? 0, story.count(of: [.finish, .fail, .cancel, .bar]))
            faults.expect(count == (1, 1), "trial: \(one.operation) has been reported \(count) times")
        }
        check(summary.counts, operations, "the batch")
        var received: Int64 = 0
        for group in groups {
            let part = await group.summary()
            received += part.bytesReceived
            check(
                part.counts, operations.filter { ($0.request.group ?? "").utf8.elementsEqual(group.name.utf8) },
                "\(group)")
        }
        faults.expect(
            received == summary.bytesReceived, "the groups have received \(received) of \(summary.bytesReceived)")
        let asked = questions.withLock { $0 }
        let isStarted = operations.contains { told[$0.id].count(of: [.start]) > 0 }
        faults.expect(
            asked <= 1 && (asked == 1 || answer == .none || !isStarted), "\(asked) questions about a plan")
        checkStages(operations, without: leftOut)
        checkRequests(since: began)
    }

    /// Sets the answer to the question about the plan; returns the count of questions, and who is left out.
    private func ask() -> (Guarded<Int>, Set<RequestOperation.ID>) {
        let (questions, count) = (Guarded(0), cases.count)
        let leftOut = answer == .startSome ? Set(cases.prefix(2).map(\.operation.id)) : []
        guard answer != .none else { return (questions, leftOut) }
        queue.planHandler = { [answer, faults, origin, witness, key] plan in
            questions.withLock { $0 += 1 }
            witness.plans.check(plan)
            faults.expect(plan.requestCount <= count, "a plan counts \(plan.requestCount) of \(count)")
            try? await Task.sleep(for: .milliseconds(1))
            let downloads = origin.receipts(key).count { !$0.isHead }
            faults.expect(downloads == 0, "\(downloads) transfers before the plan was answered")
            return answer == .cancel ? .cancel : .start(without: Array(leftOut))
        }
        return (questions, leftOut)
    }

    private func check(_ counts: NetworkQueue.Progress.Counts, _ operations: [RequestOperation], _ name: String) {
        let own = [RequestOperation.Status.finished, .failed, .cancelled].map { status in
            operations.count { $0.status == status }
        }
        faults.expect(
            [counts.finished, counts.failed, counts.cancelled] == own && counts.total == operations.count,
            "\(name) counts \(counts), and its operations are \(own)")
    }

    /// Checks that nothing has started above the lowest stage that has failed, and everything else has not been barred.
    private func checkStages(_ operations: [RequestOperation], without leftOut: Set<RequestOperation.ID>) {
        let bad = operations.filter { $0.status != .finished && $0.error?.code != .earlierStageFailed }
        let failed = bad.filter { !leftOut.contains($0.id) }.map(\.request.stage).min() ?? .max
        // One that is left out may have been canceled before.
        let mayHaveFailed = bad.map(\.request.stage).min() ?? .max
        for operation in operations {
            let isStarted = told[operation.id].count(of: [.start]) > 0
            let isBarred = operation.error?.code == .earlierStageFailed
            faults.expect(
                !isStarted || operation.request.stage <= failed, "\(operation) starts after stage \(failed) has failed")
            faults.expect(
                !isBarred || operation.request.stage > mayHaveFailed, "\(operation) is barred, but no stage has failed")
            faults.expect(!isStarted || !leftOut.contains(operation.id), "\(operation) starts and was left out")
            faults.expect(!isStarted || answer != .cancel, "\(operation) starts after all was canceled")
        }
    }

    /// Checks that no more exchanges have come at any time than could have started since the beginning.
    private func checkRequests(since began: ContinuousClock.Instant) {
        let receipts = origin.receipts(key)
        faults.expect(answer != .cancel || receipts.allSatisfy(\.isHead), "transfers after all was canceled")
        guard let rate else { return }
        for (index, receipt) in receipts.sorted(by: { $0.time < $1.time }).enumerated() {
            let earliest = began + rate.span * (index / rate.count)
            faults.expect(receipt.time >= earliest, "request \(index) comes \(earliest - receipt.time) too early")
        }
    }
}

/// A request to a trial as the server has received it.
struct Receipt: Sendable {
    let isHead: Bool
    let time: ContinuousClock.Instant
}
