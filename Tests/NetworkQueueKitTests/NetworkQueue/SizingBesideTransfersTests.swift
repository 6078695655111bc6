import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SizingBesideTransfersTests {
    private static let size = ScriptedTransport.Answer.status(200, ["Content-Length": "10"])

    private func rig(limit: Int = 1, perHost: Int? = nil, timeout: Duration = .seconds(3)) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport { _ in .hold },
            configure: {
                $0.showsAccurateProgress = true
                $0.maxConcurrentRequestCount = limit
                $0.maxConcurrentRequestCountPerHost = perHost
                $0.maxConcurrentSizingCount = 2
                $0.sizingTimeout = timeout
            })
    }

    private func methods(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.transport.exchanges.map { $0.exchange.method + $0.path }
    }

    @Test func `Sizing holds the transfers for sizingTimeout, and goes on beside them`() async {
        let rig = rig()
        let operations = rig.add(5)
        rig.queue.go()
        await rig.transport.exchange(0).answer(.ok(Data(count: 10)))
        await rig.transport.waitForExchanges(3)
        rig.advance(by: .milliseconds(2999))
        #expect(methods(rig) == ["HEAD/0", "HEAD/1", "HEAD/2"])
        #expect(rig.queue.progress.phase == .sizing(completed: 1, total: 5))
        #expect(rig.queue.progress.sizing == .init(completed: 1, total: 5))
        rig.advance(by: .milliseconds(1))
        await rig.transport.waitForExchanges(4)
        #expect(methods(rig).last == "GET/0" && rig.transport.counts.cancelled == 0)
        #expect(rig.queue.progress.phase == .transferring && rig.queue.progress.download.isEstimated)
        #expect(rig.queue.progress.sizing?.total == 5)
        for number in [1, 2, 4, 5] { await rig.transport.exchange(number).answer(Self.size) }
        #expect(methods(rig).suffix(2) == ["HEAD/3", "HEAD/4"] && rig.queue.progress.phase == .transferring)
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 50, isEstimated: false))
        #expect(rig.queue.progress.sizing == nil, "all are known")
        rig.transport.setScript { _ in .ok(Data(count: 10)) }
        rig.transport.exchanges[3].answer(.ok(Data(count: 10)))
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 5)])
        for operation in operations { #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"]) }
    }

    @Test func `The transfers do not wait for a few silent stragglers of sizing`() async {
        let rig = rig(limit: 3, timeout: .seconds(1000))
        rig.add(4)
        rig.queue.go()
        for number in 0..<3 { await rig.transport.exchange(number).answer(Self.size) }
        await rig.transport.waitForExchanges(4)
        rig.advance(by: .milliseconds(999))
        #expect(methods(rig) == ["HEAD/0", "HEAD/1", "HEAD/2", "HEAD/3"])
        rig.advance(by: .milliseconds(1))
        await rig.transport.waitForExchanges(7)
        #expect(methods(rig).suffix(3) == ["GET/0", "GET/1", "GET/2"] && !rig.transport.exchanges[3].isCancelled)
        #expect(rig.queue.progress.phase == .transferring && rig.scheduledCount == 1, "but for the updates' one")
        rig.queue.cancelAll()
    }

    @Test func `The probe of a request that starts is dropped, and counts for nothing`() async {
        let rig = rig()
        rig.add(2)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.advance(by: .seconds(3))
        await rig.transport.wait { $0.cancelled == 1 }
        #expect(rig.transport.exchanges[0].isCancelled && !rig.transport.exchanges[1].isCancelled)
        rig.transport.exchanges[0].answer(.status(200, ["Content-Length": "999"]))
        let transfer = await rig.transport.exchange(2)
        transfer.receive(headers: ["Content-Length": "30"])
        rig.transport.exchanges[1].answer(.status(200, ["Content-Length": "70"]))
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 100, isEstimated: false))
        rig.queue.cancelAll()
    }

    @Test func `Sizing ends with the last request, which waits for no probe`() async {
        let rig = rig(limit: 2)
        rig.transport.setScript { $0.method == "HEAD" ? .hold : .ok(Data(count: 10)) }
        rig.add(5)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.advance(by: .seconds(3))
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 5)])
        await rig.transport.wait { $0.isQuiet }
        #expect(rig.recorder.updates.last?.fractionCompleted == 1 && rig.transport.liveCount == 0)
    }

    @Test func `Sizing does not hold back a request that is added after all have been canceled one by one`() async {
        let rig = rig()
        let operations = rig.add(5)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        for operation in operations { operation.cancel() }
        await rig.recorder.waitForDrain()
        rig.transport.setScript { _ in .ok() }
        rig.queue.add(.test("later"))
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.summaries.map(\.counts) == [.init(cancelled: 5), .init(finished: 1)])
    }

    @Test func `Sizing gives way to the transfers at a host with a limit`() async {
        let rig = rig(limit: 1, perHost: 1)
        rig.add(3)
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        #expect(methods(rig) == ["HEAD/0"], "one for probes and transfers together")
        rig.advance(by: .seconds(3))
        await rig.transport.waitForExchanges(2)
        #expect(rig.transport.exchanges[0].isCancelled && methods(rig) == ["HEAD/0", "GET/0"])
        rig.transport.setScript { _ in .ok(Data(count: 10)) }
        rig.transport.exchanges[1].answer(.ok(Data(count: 10)))
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 3)] && rig.transport.peakLiveCount == 1)
    }

    @Test(arguments: [404, 410])
    func `Sizing counts a missing file as nothing, and as no measure for others`(status: Int) async {
        let rig = rig(limit: 2)
        rig.transport.setScript { exchange in
            switch exchange.path {
            case "/0": .status(status, ["Content-Length": "150"])
            case "/1": exchange.method == "HEAD" ? Self.size : .hold
            default: exchange.method == "HEAD" ? .status(500) : .hold
            }
        }
        rig.queue.cancelsAllOnFailure = false
        rig.add(3)
        rig.queue.go()
        await rig.transport.wait { $0.started == 6 }
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 20, isEstimated: true))
        rig.queue.cancelAll()
    }

    @Test func `A reset stops sizing that goes on beside the transfers`() async {
        let rig = rig()
        rig.add(5)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.advance(by: .seconds(3))
        await rig.transport.waitForExchanges(3)
        rig.queue.reset()
        await rig.transport.wait { $0.isQuiet }
        let count = rig.transport.exchanges.count
        rig.queue.go()
        #expect(rig.queue.progress.counts.total == 0 && rig.transport.exchanges.count == count)
    }
}
