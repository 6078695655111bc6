import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// What comes while the user's code works on a request, for however long, and whatever becomes of its task.
@Suite(.timeLimit(.minutes(10)))
struct RequestStageTests {
    enum Stage: CaseIterable, Sendable {
        case adapter, authorization, refresh, decider, processor, sink

        /// The exchanges before it, and those of a request that goes on.
        var exchangeCounts: (before: Int, all: Int) {
            switch self {
            case .adapter, .authorization: (0, 1)
            case .refresh, .decider: (1, 2)
            case .processor, .sink: (1, 1)
            }
        }
    }

    /// Waits for its opening in the first call at one stage.
    private struct Gate: RequestAdapter, RequestAuthenticator, RetryDecider, ResponseProcessor {
        let stage: Stage
        let entered = Gathering<Void>()
        let opening = Gathering<Void>()

        func pass(_ place: Stage) async {
            guard place == stage, entered.values.isEmpty else { return }
            entered.add(())
            _ = await opening.wait(count: 1)
        }

        func adapt(_ request: URLRequest, in context: AttemptContext) async -> URLRequest {
            await pass(.adapter)
            return request
        }

        func authorize(_ request: URLRequest, in context: AttemptContext) async -> URLRequest {
            await pass(.authorization)
            return request
        }

        func refresh(after error: NetworkError, in context: AttemptContext) async -> Bool {
            await pass(.refresh)
            return true
        }

        func decision(after error: NetworkError, in context: AttemptContext) async -> RetryDecision {
            await pass(.decider)
            return .retry(after: .zero)
        }

        func process(_ response: Response, in context: AttemptContext) async -> Response {
            await pass(.processor)
            return response
        }
    }

    /// A request at a stage, before another one that waits for its slot.
    private func begin(_ stage: Stage) async -> (QueueRig<NetworkQueue>, RequestOperation, Gate) {
        let gate = Gate(stage: stage)
        let rig = QueueRig(
            ScriptedTransport { _ in
                guard gate.entered.values.isEmpty else { return .ok("x") }
                return stage == .decider ? .fail(.timedOut) : stage == .refresh ? .refusal() : .ok("x")
            }
        ) {
            $0.cancelsAllOnFailure = false
            $0.maxConcurrentRequestCount = 1
            $0.adapters = [gate]
            $0.authenticator = gate
            $0.retryDecider = gate
            $0.processors = [gate]
        }
        let sink = RecordingSink { if $0 == "finish" { await gate.pass(.sink) } }
        let destination = stage == .sink ? Destination.sink(sink) : .file(rig.folder.file("file"))
        let operation = rig.queue.add(.test("a") { $0.destination = destination })
        rig.queue.add(.test("other"))
        rig.queue.go()
        _ = await gate.entered.wait(count: 1)
        #expect(operation.status == .running)
        return (rig, operation, gate)
    }

    private func count(_ rig: QueueRig<NetworkQueue>) -> Int { rig.transport.exchanges.count { $0.path == "/a" } }

    @Test(arguments: Stage.allCases, ["cancel", "pause and cancel", "cancelAll"])
    func `A request that is cancelled while the user's code works ends at once and leaves no file`(
        stage: Stage, end: String
    ) async {
        let (rig, operation, gate) = await begin(stage)
        if end == "pause and cancel" { operation.pause() }
        if end == "cancelAll" { rig.queue.cancelAll() } else { operation.cancel() }
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.story(of: operation).last == "fail cancelled")
        // What the user's code says then counts for nothing.
        gate.opening.add(())
        rig.settle()
        #expect(operation.status == .cancelled && count(rig) == stage.exchangeCounts.before)
        #expect(rig.folder.contents.isEmpty && rig.queue.requestCount == 0)
    }

    @Test(arguments: Stage.allCases)
    func `A request keeps its slot while the user's code works`(stage: Stage) async {
        let (rig, operation, gate) = await begin(stage)
        rig.settle()
        #expect(rig.queue.requests.map(\.status) == [.running, .waiting])
        #expect(rig.transport.exchanges.count == stage.exchangeCounts.before)
        gate.opening.add(())
        await rig.recorder.waitForDrain()
        #expect(operation.status == .finished && rig.transport.exchanges.count == stage.exchangeCounts.all + 1)
    }

    @Test(arguments: Stage.allCases, [false, true])
    func `A request that is paused while the user's code works sends nothing more until it is resumed`(
        stage: Stage, isResumedBefore: Bool
    ) async {
        let (rig, operation, gate) = await begin(stage)
        let (before, all) = stage.exchangeCounts
        operation.pause()
        if isResumedBefore { operation.resume() }
        gate.opening.add(())
        if !isResumedBefore, all > before {
            #expect(await eventually { operation.status == .paused })
            rig.settle()
            #expect(count(rig) == before)
            operation.resume()
        }
        await rig.recorder.waitForDrain()
        #expect(operation.status == .finished && count(rig) == all)
    }
}
