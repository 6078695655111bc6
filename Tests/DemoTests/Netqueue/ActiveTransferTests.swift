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
        transfer.note(.init(transferred: 5, expected: 10), rate: 7, now: start + .seconds(5))
        let item = transfer.item(start + .seconds(6))
        #expect(item.remark == nil && item.transferred == 5 && item.expected == 10 && item.bytesPerSecond == 7)
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
        transfer.note(.init(transferred: 0), rate: nil, now: start + .seconds(6))
        #expect(transfer.item(start + .seconds(6)).remark == "503; retrying soon")
        transfer.goOn(now: start + .seconds(7))
        #expect(transfer.item(start + .seconds(8)).remark == nil)
        #expect(transfer.item(start + .seconds(10)).remark == "stalled for 3 s")
    }

    @Test func `A frame shows the wait that is left, and then that the retry is due`() {
        var transfer = ActiveTransfer(ActiveItem(name: "file.iso"), tellsOfSilence: true, now: start)
        transfer.note(.init(transferred: 1000, expected: 5000), rate: nil, now: start)
        transfer.wait(because: "503 Service Unavailable", for: .seconds(90), now: start)
        let lines = [0, 30.5, 31, 88, 89.5, 90, 95].map { seconds in
            let model = DashboardModel(
                progress: NetworkQueue.Progress(phase: .transferring, counts: .init(running: 1)),
                items: [transfer.item(start + .seconds(seconds))])
            return model.frame(on: Canvas()).plain[0]
        }
        #expect(
            lines.joined(separator: "\n") == """
                  file.iso  503 Service Unavailable; retrying in 1 min 30 s
                  file.iso  503 Service Unavailable; retrying in 1 min 0 s
                  file.iso  503 Service Unavailable; retrying in 59 s
                  file.iso  503 Service Unavailable; retrying in 2 s
                  file.iso  503 Service Unavailable; retrying in 1 s
                  file.iso  503 Service Unavailable; retrying soon
                  file.iso  503 Service Unavailable; retrying soon
                """)
    }
}
