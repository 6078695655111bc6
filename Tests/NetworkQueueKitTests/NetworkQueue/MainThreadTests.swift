import Foundation
import NetworkQueueTesting
import Synchronization
import TestSupport
import XCTest

@testable import NetworkQueueKit

/// Guarantee 6 on the main thread of a synchronous program.
///
/// In XCTest, since it alone runs tests there: Swift Testing's program has an asynchronous `main`, under which no test
/// and, on Linux, not even the main queue is on the main thread.
final class MainThreadTests: XCTestCase {
    private var watchdog: DispatchWorkItem?

    override func setUp() {
        // XCTest has no time limit of its own on Linux.
        let watchdog = DispatchWorkItem { fatalError("waitUntilFinished() does not return") }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
        self.watchdog = watchdog
        XCTAssertTrue(Thread.isMainThread)
    }

    override func tearDown() {
        watchdog?.cancel()
    }

    private func queue(isAccurate: Bool = false, _ callbacks: DispatchQueue = .main) -> (NetworkQueue, TallyDelegate) {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = isAccurate
        let queue = NetworkQueue(
            configuration: configuration, transport: ScriptedTransport { _ in .ok(Data("x".utf8)) },
            delegateQueue: callbacks)
        let tally = TallyDelegate()
        queue.delegate = tally
        for number in 0..<20 { queue.add(.test("\(number)")) }
        return (queue, tally)
    }

    func testCallbacksOnTheMainQueueOrAnotherArriveWhileTheMainThreadWaits() {
        for (isAccurate, callbacks) in [(false, .main), (true, .main), (false, DispatchQueue(label: "other"))] {
            let (queue, tally) = queue(isAccurate: isAccurate, callbacks)
            queue.go()
            queue.waitUntilFinished()
            XCTAssertEqual(tally.tally.finishes, 20)
            XCTAssertEqual(tally.tally.drains, 1)
            XCTAssertFalse(queue.isRunning)
        }
    }

    func testSeveralBatchesOneAfterTheOther() {
        let (queue, tally) = queue()
        for batch in 1...3 {
            queue.add(.test("more"))
            queue.go()
            queue.waitUntilFinished()
            XCTAssertEqual(tally.tally.drains, batch)
        }
    }

    func testBlocksOfTheMainQueueAndTimersOfItsRunLoopAreCalledMeanwhile() {
        for (callbacks, isTimer) in [(.main, false), (.main, true), (DispatchQueue(label: "other"), false)] {
            let transport = ScriptedTransport()
            let queue = NetworkQueue(transport: transport, delegateQueue: callbacks)
            queue.showsAccurateProgress = false
            queue.add(.test("a"))
            queue.go()
            // Without the run loop this is not called, the exchange does not end and the wait neither.
            let answer = { @Sendable in for exchange in transport.exchanges { exchange.answer(.ok()) } }
            if isTimer {
                RunLoop.main.add(Timer(timeInterval: 0.01, repeats: false) { _ in answer() }, forMode: .default)
            } else {
                DispatchQueue.global().async { DispatchQueue.main.async(execute: answer) }
            }
            queue.waitUntilFinished()
            XCTAssertFalse(queue.isRunning)
        }
    }

    func testAnOperationIsWaitedForWhileItsHandlerRunsOnTheMainQueue() {
        var configuration = RequestQueue.Configuration()
        configuration.callbackQueue = .main
        let queue = RequestQueue(configuration: configuration, transport: ScriptedTransport { _ in .ok() })
        let calls = Atomic(0)
        let operation = queue.add(.test("a")) { _, _, _ in calls.add(1, ordering: .relaxed) }
        operation.waitUntilFinished()
        XCTAssertTrue(operation.isFinished)
        XCTAssertEqual(calls.load(ordering: .relaxed), 1)
    }

    func testADelegateOfAnotherActorIsToldFromOneOfTheMainActor() {
        let (main, other) = (MainActorDelegate(), OtherActorDelegate())
        XCTAssertTrue(NetworkQueue.mayCall(main))
        XCTAssertFalse(NetworkQueue.mayCall(other))
        let done = expectation(description: "block on the main queue")
        DispatchQueue.main.async {
            XCTAssertTrue(NetworkQueue.mayCall(main))
            XCTAssertFalse(NetworkQueue.mayCall(other))
            done.fulfill()
        }
        wait(for: [done], timeout: 50)
    }

    func testAnOperationOfABatchIsWaitedForWhileTheDelegateIsToldOnTheMainQueue() {
        let (queue, tally) = queue()
        // Before they start: the queue has those alone that have not ended.
        let operations = queue.requests
        queue.go()
        for operation in operations { operation.waitUntilFinished() }
        XCTAssertEqual(tally.tally.finishes, 20)
    }
}

@globalActor private actor OtherActor {
    static let shared = OtherActor()
}

@MainActor private final class MainActorDelegate: @MainActor NetworkQueueDelegate {
    nonisolated init() {}
}

@OtherActor private final class OtherActorDelegate: @OtherActor NetworkQueueDelegate {
    nonisolated init() {}
}
