import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Back-pressure and pauses of Apple's sessions.
@Suite(.timeLimit(.minutes(10)))
struct SessionFlowTests {
    @Test func `A task is held above the high-water mark and goes on below the low one`() {
        var flow = SessionFlow()
        flow.receive(SessionFlow.highWaterMark)
        #expect(!flow.isHeld)
        flow.receive(1)
        #expect(flow.isHeld)
        flow.deliver(SessionFlow.highWaterMark / 2)
        #expect(flow.isHeld)
        flow.deliver(SessionFlow.highWaterMark / 2 + 1)
        #expect(!flow.isHeld)
    }

    @Test func `A task is suspended while its receiver has paused`() async throws {
        let session = AppleSession { _ in .pause }
        try session.respond()
        session.send(Data("a".utf8))
        await session.receiver.wait { $0.body.count == 1 }
        #expect(await eventually { session.task.calls == ["resume", "suspend"] })
        // What was under way all the same waits for the receiver.
        session.send(Data("b".utf8))
        session.transfer.resume()
        #expect(session.task.calls.prefix(3) == ["resume", "suspend", "resume"])
        #expect(await session.receiver.wait { $0.body.count == 2 }.body == Data("ab".utf8))
        session.transfer.cancel()
        _ = await session.receiver.end()
    }

    @Test func `A task is suspended while a slow receiver has not taken what arrived`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let session = AppleSession { _ in
            gate.wait()
            return .proceed
        }
        try session.respond()
        let part = Data(count: SessionFlow.highWaterMark / 2)
        for _ in 0..<2 { session.send(part) }
        #expect(session.task.calls == ["resume"])
        session.send(part)
        #expect(session.task.calls == ["resume", "suspend"])
        for _ in 0..<3 { gate.signal() }
        #expect(await eventually { session.task.calls == ["resume", "suspend", "resume"] })
        session.end()
        #expect(await session.receiver.end().body.count == 3 * part.count)
    }

    @Test func `A suspended task can be cancelled`() async throws {
        let session = AppleSession { _ in .pause }
        try session.respond()
        session.send(Data("a".utf8))
        #expect(await eventually { session.task.calls == ["resume", "suspend"] })
        session.transfer.cancel()
        #expect(session.task.calls == ["resume", "suspend", "cancel"])
        #expect(await session.receiver.end().error?.code == .cancelled)
    }
}
