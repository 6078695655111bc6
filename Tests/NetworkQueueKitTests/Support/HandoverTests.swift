import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite("Handing a value over from a handler", .timeLimit(.minutes(10)))
struct HandoverTests {
    @Test func `a value that was sent before is there at once`() async {
        let handover = Handover<Int>()
        handover.makeSender().send(7)
        #expect(await handover.value() == 7)
    }

    @Test func `a value is waited for`() async {
        let handover = Handover<Int>()
        let sender = handover.makeSender()
        let task = Task { await handover.value() }
        await Task.yield()
        sender.send(7)
        #expect(await task.value == 7)
    }

    @Test func `the wait ends without a value when the sender is let go of`() async {
        let handover = Handover<Int>()
        var sender: Handover<Int>.Sender? = handover.makeSender()
        let task = Task { await handover.value() }
        await Task.yield()
        withExtendedLifetime(sender) {}
        sender = nil
        #expect(await task.value == nil)
    }
}
