import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HeadRefusalTests {
    private func rig() -> QueueRig<NetworkQueue> {
        QueueRig(configure: {
            $0.showsAccurateProgress = true
            $0.maxConcurrentSizingCount = 1
            $0.maxConcurrentRequestCount = 1
        })
    }

    /// Runs GETs for these paths, over connections that some paths drop after a HEAD; returns the paths of the HEADs.
    private func heads(_ paths: [String], dropping dropped: Set<String>, _ rig: QueueRig<NetworkQueue>) async
        -> [String]
    {
        let former = rig.transport.counts.started
        rig.transport.setScript { exchange in
            exchange.method == "HEAD" && dropped.contains(exchange.url.path())
                ? .fail(.networkConnectionLost) : .ok(Data(count: 3))
        }
        // What is added to a drained queue is not sized.
        rig.queue.reset()
        rig.queue.add(contentsOf: paths.map { NetworkRequest(.test($0)) })
        await rig.queue.run()
        return rig.transport.exchanges[former...].filter { $0.exchange.method == "HEAD" }.map(\.path)
    }

    @Test func `A path that drops a connection after a HEAD gets no other HEAD for ten minutes`() async {
        let rig = rig()
        #expect(await heads(["a", "b"], dropping: ["/a"], rig) == ["/a", "/b"])
        #expect(await heads(["a", "b", "c"], dropping: [], rig) == ["/b", "/c"])
        rig.advance(by: .seconds(600))
        #expect(await heads(["a", "b"], dropping: [], rig) == ["/a", "/b"])
    }

    @Test func `An origin that drops two connections after a HEAD gets no other HEADs for ten minutes`() async {
        let rig = rig()
        #expect(await heads(["a", "b", "c"], dropping: ["/a", "/b"], rig) == ["/a", "/b"])
        #expect(await heads(["d"], dropping: [], rig).isEmpty)
        rig.advance(by: .seconds(599))
        #expect(await heads(["d"], dropping: [], rig).isEmpty)
        rig.advance(by: .seconds(1))
        #expect(await heads(["a", "d"], dropping: [], rig) == ["/a", "/d"])
    }

    /// `openssl s_server -WWW` never answers a HEAD.
    @Test func `An origin that leaves a HEAD unanswered while the transfers wait gets no other HEADs`() async {
        let rig = rig()
        rig.queue.maxConcurrentSizingCount = 2
        rig.add(1)
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        rig.advance(by: .seconds(10))
        await rig.transport.exchange(1).answer(.ok(Data(count: 3)))
        await rig.recorder.waitForDrain()
        rig.advance(by: .seconds(100_000))
        #expect(await heads(["a"], dropping: [], rig).isEmpty)
    }
}
