import Dashboard
import NetworkQueueKit
import Testing

@testable import netqueue

struct ActiveTransferTests {
    private let start = ContinuousClock.now

    @Test func `A silence is shown after three seconds, until bytes come`() {
        var transfer = ActiveTransfer(ActiveItem(name: "a"), tellsOfSilence: true, now: start)
        #expect(transfer.item(start + .milliseconds(2999)).remark == nil)
        #expect(transfer.item(start + .seconds(3)).remark == "stalled for 3 s")
        #expect(transfer.item(start + .milliseconds(4900)).remark == "stalled for 4 s")
        transfer.note(.init(transferred: 5, expected: 10), moved: 5, now: start + .seconds(5))
        transfer.note(.init(transferred: 9, expected: 10), moved: 9, now: start + .seconds(7))
        let item = transfer.item(start + .seconds(8))
        #expect(item.remark == nil && item.transferred == 9 && item.expected == 10 && item.bytesPerSecond == 2)
    }

    @Test func `A silence is not shown if it may not be the server's`() {
        let transfer = ActiveTransfer(ActiveItem(name: "a"), tellsOfSilence: false, now: start)
        #expect(transfer.item(start + .seconds(9)).remark == nil)
    }

    @Test func `A transfer counts down to its next attempt, and then measures silence anew`() {
        var transfer = ActiveTransfer(ActiveItem(name: "a"), tellsOfSilence: true, now: start)
        transfer.wait(because: "503", for: .seconds(4), now: start + .seconds(1))
        #expect(transfer.item(start + .seconds(1)).remark == "503; retrying in 4 s")
        #expect(transfer.item(start + .milliseconds(3500)).remark == "503; retrying in 2 s")
        #expect(transfer.item(start + .milliseconds(3500)).wait == .milliseconds(1500))
        #expect(transfer.item(start + .seconds(6)).remark == "503; retrying soon")
        // The bytes of the attempt that has failed are no news.
        transfer.note(.init(transferred: 0), moved: 0, now: start + .seconds(6))
        #expect(transfer.item(start + .seconds(6)).remark == "503; retrying soon")
        transfer.goOn(now: start + .seconds(7))
        #expect(transfer.item(start + .seconds(8)).remark == nil)
        #expect(transfer.item(start + .seconds(10)).remark == "stalled for 3 s")
    }
}
