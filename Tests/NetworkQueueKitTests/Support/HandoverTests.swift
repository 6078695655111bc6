import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct HandoverTests {
    @Test func `A value that was sent before is there at once`() async {
        let handover = Handover<Int>()
        handover.makeSender().send(7)
        #expect(await handover.value() == 7)
    }

    @Test func `A handover waits for a value that has not been sent yet`() async {
        let handover = Handover<Int>()
        let sender = handover.makeSender()
        let task = Task { await handover.value() }
        await Task.yield()
        sender.send(7)
        #expect(await task.value == 7)
    }

    @Test func `The wait for a value ends without one when the sender is released`() async {
        let handover = Handover<Int>()
        var sender: Handover<Int>.Sender? = handover.makeSender()
        let task = Task { await handover.value() }
        await Task.yield()
        withExtendedLifetime(sender) {}
        sender = nil
        #expect(await task.value == nil)
    }
}
