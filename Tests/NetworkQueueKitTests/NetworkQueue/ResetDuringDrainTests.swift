import Dispatch
import NetworkQueueTesting
import TestSupport
import Testing

import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
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
        while queue.progress.phase != .finished { await Task.yield() }
        queue.reset()
        #expect(Set(await ends.wait(count: 2)) == ["stream", "run 0"])
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
        #expect(await rig.queue.run().counts.finished == 2)
    }
}
