import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct SessionTimeoutTests {
    @Test func `Silence ends an exchange`() async throws {
        let session = AppleSession(idleTimeout: .seconds(30))
        try session.respond()
        session.clock.advance(by: .seconds(29))
        session.send(Data("a".utf8))
        session.clock.advance(by: .seconds(29))
        #expect(session.task.calls == ["resume"])
        session.clock.advance(by: .seconds(1))
        #expect(await session.receiver.end().error?.code == .timedOut)
        #expect(session.task.calls == ["resume", "cancel"])
    }

    @Test func `Time in which the process stood still is not silence`() async throws {
        let clock = LateClock()
        let receiver = RecordingReceiver { _ in .proceed }
        let task = RecordedTask()
        let transfer = SessionTransfer(
            HTTPExchange(url: AppleSession.url, idleTimeout: .seconds(30)), receiver: receiver,
            configuration: TransportConfiguration(), policy: .apple, idleClock: clock)
        transfer.begin(task, content: .data(nil))
        clock.ring(at: .seconds(3600))
        #expect(task.calls == ["resume"])
        // The whole interval from there on, and the usual lateness of a timer does not extend it.
        clock.ring(at: .seconds(3631))
        #expect(task.calls == ["resume", "cancel"])
        #expect(await receiver.end().error?.code == .timedOut)
    }

    @Test func `The clock of the idle timeout is one that stands still while the system sleeps`() {
        #if canImport(Darwin)
            #expect(SystemClock.awake == CLOCK_UPTIME_RAW)
        #else
            #expect(SystemClock.awake == CLOCK_MONOTONIC)
        #endif
        #expect(SystemClock.awake != SystemClock.continuous)
    }

    @Test func `A pause does not count as silence, nor does what is left of the interval after it`() async throws {
        let session = AppleSession(idleTimeout: .seconds(30)) { _ in .pause }
        try session.respond()
        session.send(Data("a".utf8))
        #expect(await eventually { session.task.calls == ["resume", "suspend"] })
        session.clock.advance(by: .seconds(30))
        session.clock.advance(by: .seconds(29))
        session.transfer.resume()
        session.clock.advance(by: .seconds(29))
        #expect(session.task.calls == ["resume", "suspend", "resume"])
        session.clock.advance(by: .seconds(1))
        #expect(await session.receiver.end().error?.code == .timedOut)
    }

    @Test func `Waiting for a network does not count as silence`() async throws {
        let session = AppleSession(idleTimeout: .seconds(30))
        session.router.urlSession(session.session, taskIsWaitingForConnectivity: session.sessionTask)
        for _ in 0..<10 { session.clock.advance(by: .seconds(30)) }
        #expect(session.task.calls == ["resume"])
        try session.respond()
        session.clock.advance(by: .seconds(30))
        #expect(await session.receiver.end().error?.code == .timedOut)
    }
}

/// A clock whose alarm rings when the test says so.
private final class LateClock: Timekeeper {
    private final class Call: ScheduledCall {
        func cancel() {}
    }

    private struct State {
        var now = Duration.zero
        var body: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())
    var now: Duration { state.withLock { $0.now } }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        state.withLock { $0.body = body }
        return Call()
    }

    func ring(at time: Duration) {
        let body = state.withLock { state in
            state.now = time
            return state.body
        }
        body?()
    }
}
