import Foundation
import NetworkQueueKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ReentrancyTests {
    /// A public member of the queue, used as a caller would.
    struct Member: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let use: @Sendable (NetworkQueue) -> Void

        init(_ name: String, _ use: @escaping @Sendable (NetworkQueue) -> Void) {
            testDescription = name
            self.use = use
        }

        static let all = [
            Member("add(URL)") { $0.add(.test("more")) },
            Member("add(URLRequest)") { $0.add(URLRequest(url: .test("more"))) },
            Member("add(NetworkRequest)") { $0.add(NetworkRequest(.test("more"))) },
            Member("add(RequestOperation)") { $0.add(RequestOperation(NetworkRequest(.test("more")))) },
            Member("add(contentsOf:)") {
                $0.add(contentsOf: [NetworkRequest(.test("a")), NetworkRequest(.test("b"))])
            },
            Member("go()") { $0.go() },
            Member("cancel(_:)") { queue in queue.requests.forEach { queue.cancel($0) } },
            Member("RequestOperation.cancel()") { queue in queue.requests.forEach { $0.cancel() } },
            Member("cancelAll()") { $0.cancelAll() },
            Member("reset()") { $0.reset() },
            Member("run()") { queue in Task { await queue.run() } },
            Member("events()") { _ = $0.events() },
            Member("isSuspended") { queue in
                queue.isSuspended.toggle()
                queue.isSuspended.toggle()
            },
            Member("delegate") { $0.delegate = $0.delegate },
            Member("limits") {
                $0.maxConcurrentRequestCount = 1
                $0.maxConcurrentRequestCountPerHost = 1
                $0.maxConcurrentRequestCount = 0
                $0.maxConcurrentRequestCountPerHost = nil
            },
            Member("mode") { $0.mode = $0.mode == .firstInFirstOut ? .lastInFirstOut : .firstInFirstOut },
            Member("other settings") {
                $0.allowsDuplicateRequests.toggle()
                $0.cancelsAllOnFailure.toggle()
                $0.showsAccurateProgress.toggle()
                $0.sizingTimeout *= 2
                $0.progressInterval *= 2
                $0.validation = .none
                $0.retryPolicy = .standard
                $0.retryDecider = nil
                $0.redirectPolicy = .never
                $0.adapters = []
                $0.processors = []
                $0.cookieStorage = nil
                $0.userInfo["key"] = $0.userInfo.count
            },
            Member("contents") { _ = ($0.requestCount, $0.requests, $0.isRunning, $0.progress, $0.foundationProgress) },
            Member("foundationProgress.cancel()") { $0.foundationProgress.cancel() },
        ]
    }

    @Test(arguments: Member.all, NetworkQueue.Event.Kind.allCases)
    func `A use of any member inside any callback neither locks up nor loses the drain`(
        member: Member, kind: NetworkQueue.Event.Kind
    ) async {
        for isSynchronous in [true, false] {
            let isUsed = Atomic(false)
            let (uses, use) = AsyncStream.makeStream(of: Void.self)
            let rig = QueueRig.forEveryEvent(
                isSynchronous: isSynchronous, configure: { $0.showsAccurateProgress = !isSynchronous },
                onEvent: { queue, event in
                    guard event.kind == kind, !isUsed.exchange(true, ordering: .relaxed) else { return }
                    member.use(queue)
                    use.finish()
                })
            let operations = rig.addForEveryEvent() + rig.add(6)
            rig.queue.go()
            for await _ in uses {}
            await onThread { [queue = rig.queue] in queue.waitUntilFinished() }
            // A reset does not wait for the operations that it cancels.
            #expect(await eventually { rig.queue.requestCount == 0 && operations.allSatisfy(\.isFinished) })
            #expect(await eventually { rig.transport.counts.isQuiet })
        }
    }
}
