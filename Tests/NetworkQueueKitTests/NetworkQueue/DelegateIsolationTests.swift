import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DelegateIsolationTests {
    /// Its methods may run on the main actor alone.
    @MainActor private final class MainActorDelegate: @MainActor NetworkQueueDelegate {
        private(set) var finishes = 0

        nonisolated init() {}

        func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
            finishes += 1
        }
    }

    private static func makeQueue(_ callbacks: DispatchQueue) -> NetworkQueue {
        let queue = NetworkQueue(transport: ScriptedTransport { _ in .ok() }, delegateQueue: callbacks)
        queue.showsAccurateProgress = false
        return queue
    }

    @Test func `A main-actor delegate on a queue that is not the main one traps, with a text that helps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = DelegateIsolationTests.makeQueue(DispatchQueue(label: "not main"))
            let delegate = MainActorDelegate()
            await MainActor.run { queue.delegate = delegate }
            queue.add(.test("a"))
            await queue.run()
            withExtendedLifetime(delegate) {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("MainActorDelegate") && text.contains("delegateQueue: .main"), "\(text)")
    }

    @Test func `A main-actor delegate that is set later, in place of one of no actor, traps, too`() async {
        await #expect(processExitsWith: .failure) {
            let queue = DelegateIsolationTests.makeQueue(DispatchQueue(label: "not main"))
            let (tally, delegate) = (TallyDelegate(), MainActorDelegate())
            queue.delegate = tally
            queue.add(.test("a"))
            await queue.run()
            guard tally.tally.finishes == 1 else { exit(0) }
            await MainActor.run { queue.delegate = delegate }
            queue.add(.test("b"))
            await queue.run()
            withExtendedLifetime((tally, delegate)) {}
        }
    }

    @Test(arguments: [DispatchQueue.main, DispatchQueue(label: "on main", target: .main)])
    func `A main-actor delegate is called on the main queue, or on a serial one that runs there`(
        callbacks: DispatchQueue
    ) async {
        let queue = Self.makeQueue(callbacks)
        let delegate = MainActorDelegate()
        await MainActor.run { queue.delegate = delegate }
        queue.add(.test("a"))
        queue.add(.test("b"))
        await queue.run()
        #expect(await delegate.finishes == 2)
    }

    @Test(arguments: [false, true]) func `A delegate of no actor is called on any queue`(isConcurrent: Bool) async {
        let queue = Self.makeQueue(DispatchQueue(label: "any", attributes: isConcurrent ? .concurrent : []))
        let tally = TallyDelegate()
        queue.delegate = tally
        queue.add(.test("a"))
        await queue.run()
        #expect(tally.tally.finishes == 1)
    }
}
