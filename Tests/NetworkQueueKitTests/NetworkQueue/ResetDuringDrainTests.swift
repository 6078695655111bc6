import Dispatch
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(2)))
struct ResetDuringDrainTests {
    @Test func `A reset before the drain has been told ends run() and the streams of the run`() async {
        let callbacks = DispatchQueue(label: "callbacks")
        let queue = NetworkQueue(transport: ScriptedTransport(), delegateQueue: callbacks)
        callbacks.suspend()
        let ends = Gathering<String>()
        let stream = queue.events()
        Task {
            for await _ in stream {}
            ends.add("stream")
        }
        Task {
            let summary = await queue.run()
            ends.add("run \(summary.counts.total)")
        }
        let hasDrained = await eventually {
            queue.loop.access { if case .drained = $0.phase { true } else { false } }
        }
        #expect(hasDrained)
        queue.reset()
        #expect(await eventually { ends.values.count == 2 }, "\(ends.values)")
        #expect(Set(ends.values) == ["stream", "run 0"])
        callbacks.resume()
    }

    @Test(arguments: [NetworkQueue.Event.Kind.didUpdate, .queueDidFinish])
    func `A reset in a callback about the drain ends run()`(kind: NetworkQueue.Event.Kind) async {
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            onEvent: { queue, event in
                if event.kind == kind { queue.reset() }
            })
        rig.add(2)
        let summaries = Gathering<NetworkQueue.Summary>()
        Task { summaries.add(await rig.queue.run()) }
        #expect(await eventually { !summaries.values.isEmpty })
        #expect(summaries.values.map(\.counts.finished) == [2])
    }
}
