import Testing

@testable import NetworkQueueKit

@Suite("The barrier in front of the transfers")
struct SizingBarrierTests {
    private let probes = (0..<40).map { _ in RequestID.next() }

    /// A barrier for `total` probes that were sent at 0, the first `answered` of which were answered after `slowest`.
    private func barrier(total: Int, answered: Int, slowest: Duration = .milliseconds(100)) -> SizingBarrier {
        var barrier = SizingBarrier(total: total)
        for probe in probes.prefix(total) { barrier.noteSent(probe, now: .zero) }
        for probe in probes.prefix(answered) { barrier.noteEnd(of: probe, isAnswer: true, now: slowest) }
        return barrier
    }

    @Test(arguments: [(1, 0), (2, 1), (19, 1), (20, 2), (39, 3), (40, 4)])
    func `leaves behind a tenth, and at least one`(total: Int, stragglers: Int) {
        let late = Duration.seconds(9)
        #expect(barrier(total: total, answered: total).verdict(unansweredCount: 0, now: .zero) == .lift)
        let enough = barrier(total: total, answered: total - stragglers)
        #expect(enough.verdict(unansweredCount: stragglers, now: late) == .lift)
        let tooFew = barrier(total: total, answered: total - stragglers - 1)
        #expect(tooFew.verdict(unansweredCount: stragglers + 1, now: late) == .wait)
    }

    @Test(arguments: [(100, 1400), (1, 1004), (2000, 9000)])
    func `waits for a second and four times the slowest answer`(slowest: Int, deadline: Int) {
        let barrier = barrier(total: 4, answered: 3, slowest: .milliseconds(slowest))
        let time = Duration.milliseconds(deadline)
        #expect(barrier.verdict(unansweredCount: 1, now: time - .milliseconds(1)) == .look(at: time))
        #expect(barrier.verdict(unansweredCount: 1, now: time) == .lift)
    }

    @Test func `counts the silence from when the last of the stragglers was sent`() {
        var barrier = SizingBarrier(total: 3)
        for (number, time) in [Duration.zero, .seconds(1), .seconds(3)].enumerated() {
            barrier.noteSent(probes[number], now: time)
        }
        barrier.noteEnd(of: probes[1], isAnswer: true, now: .seconds(2))
        #expect(barrier.verdict(unansweredCount: 1, now: .seconds(4)) == .look(at: .seconds(8)))
        // The other straggler has been silent for longer.
        barrier.noteEnd(of: probes[2], isAnswer: false, now: .seconds(4))
        #expect(barrier.verdict(unansweredCount: 1, now: .seconds(4)) == .look(at: .seconds(5)))
    }

    @Test func `takes what has not been sent for silent since the last answer`() {
        var barrier = SizingBarrier(total: 2)
        barrier.noteSent(probes[0], now: .seconds(1))
        barrier.noteEnd(of: probes[0], isAnswer: true, now: .seconds(2))
        #expect(barrier.verdict(unansweredCount: 1, now: .seconds(2)) == .look(at: .seconds(7)))
    }

    @Test func `is not made patient by a failure that took its time`() {
        var barrier = SizingBarrier(total: 2)
        for probe in probes.prefix(2) { barrier.noteSent(probe, now: .zero) }
        barrier.noteEnd(of: probes[0], isAnswer: false, now: .seconds(5))
        #expect(barrier.verdict(unansweredCount: 1, now: .seconds(5)) == .lift)
    }
}
