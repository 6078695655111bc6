import TestSupport
import Testing

@testable import NetworkQueueKit

struct SizingBarrierTests {
    private let probes = (0..<40).map { _ in RequestID.next() }

    private static let limit = Duration.seconds(100)

    /// A barrier that has been up since 0.
    private func begun(total: Int) -> SizingBarrier {
        var barrier = SizingBarrier()
        barrier.total = total
        barrier.begin(now: .zero, timeLimit: Self.limit)
        return barrier
    }

    /// A barrier for `total` probes that were sent at 0, the first `answered` of which were answered after `slowest`.
    private func barrier(total: Int, answered: Int, slowest: Duration = .milliseconds(100)) -> SizingBarrier {
        var barrier = begun(total: total)
        for probe in probes.prefix(total) { barrier.noteSent(probe, now: .zero) }
        for probe in probes.prefix(answered) { barrier.noteEnd(of: probe, isAnswer: true, now: slowest) }
        return barrier
    }

    @Test(arguments: [(1, 0), (2, 1), (19, 1), (20, 2), (39, 3), (40, 4)])
    func `The barrier leaves a tenth of several probes behind, and at least one`(total: Int, stragglers: Int) {
        let slowest = Duration.milliseconds(100)
        #expect(barrier(total: total, answered: total).deadline(unansweredCount: 0) <= slowest)
        let enough = barrier(total: total, answered: total - stragglers)
        #expect(enough.deadline(unansweredCount: stragglers) < (stragglers > 0 ? .seconds(9) : Self.limit))
        let tooFew = barrier(total: total, answered: total - stragglers - 1)
        #expect(tooFew.deadline(unansweredCount: stragglers + 1) == Self.limit)
    }

    @Test(arguments: [(100, 1400), (1, 1004), (2000, 9000)])
    func `The barrier waits for a second and four times the slowest answer`(slowest: Int, deadline: Int) {
        let barrier = barrier(total: 4, answered: 3, slowest: .milliseconds(slowest))
        #expect(barrier.deadline(unansweredCount: 1) == .milliseconds(deadline))
    }

    @Test func `The barrier counts the silence from when the last of the stragglers was sent`() {
        var barrier = begun(total: 3)
        for (number, time) in [Duration.zero, .seconds(1), .seconds(3)].enumerated() {
            barrier.noteSent(probes[number], now: time)
        }
        barrier.noteEnd(of: probes[1], isAnswer: true, now: .seconds(2))
        #expect(barrier.deadline(unansweredCount: 1) == .seconds(8))
        // The other straggler has been silent for longer.
        barrier.noteEnd(of: probes[2], isAnswer: false, now: .seconds(4))
        #expect(barrier.deadline(unansweredCount: 1) == .seconds(5))
    }

    @Test func `The barrier takes a probe that has not been sent for silent since the last answer`() {
        var barrier = begun(total: 2)
        barrier.noteSent(probes[0], now: .seconds(1))
        barrier.noteEnd(of: probes[0], isAnswer: true, now: .seconds(2))
        #expect(barrier.deadline(unansweredCount: 1) == .seconds(7))
    }

    @Test func `A failure that takes its time does not make the barrier patient`() {
        var barrier = begun(total: 2)
        for probe in probes.prefix(2) { barrier.noteSent(probe, now: .zero) }
        barrier.noteEnd(of: probes[0], isAnswer: false, now: .seconds(5))
        #expect(barrier.deadline(unansweredCount: 1) <= .seconds(5))
    }

    /// Answers come 16 at a time, a round a second.
    private func lookedAt(rounds: Int, total: Int) -> SizingBarrier {
        var barrier = begun(total: total)
        for round in 1...rounds {
            let probes = (0..<16).map { _ in RequestID.next() }
            for probe in probes { barrier.noteSent(probe, now: .seconds(round - 1)) }
            for probe in probes {
                barrier.noteEnd(of: probe, isAnswer: true, now: .seconds(round))
                barrier.look(now: .seconds(round), width: 16)
            }
        }
        return barrier
    }

    @Test(arguments: [(1, 10_000, false), (2, 10_000, true), (2, 1600, false), (2, 1700, true), (5, 1601, true)])
    func `The wait ends after two rounds if the rate says that the time will not do`(
        rounds: Int, total: Int, isOver: Bool
    ) {
        let deadline = lookedAt(rounds: rounds, total: total).deadline(unansweredCount: total - rounds * 16)
        #expect((deadline <= .seconds(rounds)) == isOver && (isOver || deadline == Self.limit))
    }

    // MARK: The width

    private func answer(_ status: Int?) -> SizeAnswer {
        let probe = RequestOperation(NetworkRequest(.test("a"), method: "HEAD"))
        if let status {
            probe.requestDid(.didReject(ResponseHead(statusCode: status, headers: [:], url: probe.request.url)))
        } else {
            probe.end(with: RequestResult(error: NetworkError(.cannotConnectToHost)))
        }
        return SizeAnswer(probe)
    }

    @Test(arguments: [503, nil])
    func `Trouble halves the width for good, down to one`(status: Int?) {
        var width = SizingWidth()
        width.note(answer(status))
        #expect(width.value == 8)
        for _ in 0..<100 { width.note(answer(200)) }
        #expect(width.value == 8)
        for _ in 0..<9 { width.note(answer(status)) }
        #expect(width.value == 1)
    }
}
