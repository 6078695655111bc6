import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ProgressUpdatesTests {
    private func rig(isAccurate: Bool = true) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport { $0.method == "HEAD" ? .status(200, ["Content-Length": "100"]) : .hold },
            configure: { $0.showsAccurateProgress = isAccurate })
    }

    /// Lets an update through and returns it; `nil` when there was nothing to tell.
    private func update(_ rig: QueueRig<NetworkQueue>, after interval: Duration = .milliseconds(100)) -> NetworkQueue
        .Progress?
    {
        rig.settle()
        let before = rig.recorder.updates.count
        rig.advance(by: interval)
        return rig.recorder.updates.count > before ? rig.recorder.updates.last : nil
    }

    @Test func `Progress updates go through the phases`() async {
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        rig.add(3)
        #expect(rig.queue.progress.phase == .idle)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        #expect(rig.queue.progress.phase == .sizing(completed: 0, total: 3))
        rig.transport.exchanges[0].answer(.status(200, ["Content-Length": "10"]))
        #expect(rig.queue.progress.phase == .sizing(completed: 1, total: 3))
        #expect(update(rig)?.phase == .sizing(completed: 1, total: 3))
        #expect(rig.queue.progress.counts == .init(waiting: 3) && rig.queue.progress.fractionCompleted == 0)
        for exchange in rig.transport.exchanges.dropFirst() { exchange.answer(.status(200, ["Content-Length": "10"])) }
        await rig.transport.waitForExchanges(6)
        #expect(rig.queue.progress.phase == .transferring)
        for exchange in rig.transport.exchanges.suffix(3) { exchange.answer(.ok(Data(count: 10))) }
        await rig.recorder.waitForDrain()
        #expect(rig.queue.progress.phase == .finished && rig.recorder.updates.last?.phase == .finished)
    }

    @Test func `Progress updates count bytes as they come, and take those of a failure back`() async {
        let rig = rig()
        rig.queue.cancelsAllOnFailure = false
        rig.add(2)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        let exchanges = rig.transport.exchanges.suffix(2)
        for exchange in exchanges {
            exchange.receive(headers: ["Content-Length": "100"])
            exchange.receive(Data(count: 50))
        }
        #expect(update(rig)?.download == .init(transferred: 100, expected: 200, isEstimated: false))
        #expect(rig.queue.progress.fractionCompleted == 0.5)
        exchanges.first?.end(.networkConnectionLost)
        let honest = update(rig)
        #expect(honest?.download == .init(transferred: 50, expected: 100, isEstimated: false))
        #expect(honest?.counts == .init(running: 1, failed: 1) && honest?.fractionCompleted == 0.5)
        exchanges.last?.end()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.updates.last?.download.transferred == 50)
    }

    @Test func `Progress updates are coalesced to progressInterval`() async {
        let rig = rig()
        rig.queue.progressInterval = .milliseconds(250)
        rig.add(1)
        rig.queue.go()
        let exchange = await rig.transport.exchange(1)
        exchange.receive(headers: ["Content-Length": "100"])
        #expect(update(rig, after: .milliseconds(250)) != nil)
        let before = rig.recorder.updates.count
        for _ in 0..<50 {
            exchange.receive(Data(count: 1))
            rig.advance(by: .milliseconds(4))
        }
        rig.settle()
        #expect(rig.recorder.updates.count == before && rig.scheduledCount == 1)
        #expect(update(rig, after: .milliseconds(50))?.download.transferred == 50)
        rig.queue.cancelAll()
    }

    @Test func `Progress updates that the delegate has had no time for become one`() async {
        let rig = rig(isAccurate: false)
        rig.add(1)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "100"])
        _ = update(rig)
        let before = rig.recorder.updates.count
        rig.callbacks.suspend()
        for _ in 0..<3 {
            exchange.receive(Data(count: 10))
            rig.clock.advance(by: .milliseconds(100))
        }
        rig.callbacks.resume()
        rig.settle()
        #expect(rig.recorder.updates.dropFirst(before).map(\.download.transferred) == [30])
        rig.queue.cancelAll()
    }

    @Test func `Progress updates use no timer while nothing happens`() async {
        let rig = rig()
        #expect(rig.scheduledCount == 0)
        rig.queue.isSuspended = true
        rig.add(2)
        #expect(rig.scheduledCount == 0)
        rig.queue.showsAccurateProgress = false
        rig.queue.go()
        _ = update(rig)
        // Suspended, with nothing running.
        #expect(rig.scheduledCount == 0)
        rig.queue.isSuspended = false
        await rig.transport.waitForExchanges(2)
        // While something runs, updates go on: the rate has to be seen falling.
        for _ in 0..<3 { _ = update(rig) }
        #expect(rig.scheduledCount == 1)
        for exchange in rig.transport.exchanges { exchange.answer(.ok()) }
        await rig.recorder.waitForDrain()
        #expect(rig.scheduledCount == 0)
    }

    @Test func `The last progress update is exactly 1, and nothing follows it but the drain`() async {
        for isAccurate in [false, true] {
            let rig = QueueRig(
                ScriptedTransport { $0.url.path() == "/2" ? .fail(.timedOut) : .ok(Data(count: 9)) },
                configure: { $0.showsAccurateProgress = isAccurate })
            rig.add(5)
            await rig.queue.run()
            rig.advance(by: .seconds(10))
            rig.settle()
            #expect(rig.recorder.events.suffix(2).map(\.kind) == [.didUpdate, .queueDidFinish])
            let fractions = rig.recorder.updates.map(\.fractionCompleted)
            #expect(fractions.last == 1 && !fractions.dropLast().contains(1))
        }
    }

    @Test func `Progress estimates unknown sizes by the mean of the known ones`() async {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                guard exchange.method == "HEAD" else { return .hold }
                return exchange.url.path() == "/2" ? .status(500) : .status(200, ["Content-Length": "100"])
            }, configure: { $0.showsAccurateProgress = true })
        rig.add(3)
        rig.queue.go()
        await rig.transport.waitForExchanges(6)
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 300, isEstimated: true))
        rig.queue.cancelAll()
    }

    @Test(arguments: [(false, 404), (true, 404), (true, 500)])
    func `Progress counts requests if no size is known, or none is wanted`(isAccurate: Bool, status: Int) async {
        let rig = QueueRig(
            ScriptedTransport { $0.method == "HEAD" ? .status(status) : .hold },
            configure: { $0.showsAccurateProgress = isAccurate })
        rig.add(4)
        rig.queue.go()
        let probes = isAccurate ? 4 : 0
        await rig.transport.waitForExchanges(probes + 4)
        let exchanges = rig.transport.exchanges.suffix(4)
        for exchange in exchanges { exchange.receive() }
        exchanges.first?.receive(Data(count: 1_000_000))
        #expect(update(rig)?.fractionCompleted == 0)
        exchanges.first?.end()
        let fraction = try? #require(update(rig)?.fractionCompleted)
        // With sizing, the one that is done has made the others' size an estimate.
        #expect(fraction == 0.25)
        rig.queue.cancelAll()
    }

    @Test func `Progress counts uploads by their bodies, together with downloads`() async {
        let rig = rig()
        var upload = NetworkRequest(.test("up"))
        upload.urlRequest.httpMethod = "PUT"
        upload.body = .data(Data(count: 300))
        var old = URLRequest(url: .test("old"))
        old.httpMethod = "POST"
        old.httpBody = Data(count: 100)
        rig.queue.add(upload)
        rig.queue.add(old)
        rig.queue.add(.test("down"))
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        #expect(rig.queue.progress.upload == .init(transferred: 0, expected: 400, isEstimated: false))
        #expect(rig.queue.progress.download.expected == 100)
        rig.transport.exchanges[1].send(150)
        let progress = update(rig)
        #expect(progress?.upload.transferred == 150 && progress?.fractionCompleted == 0.3)
        rig.queue.cancelAll()
    }

    @Test func `Failed and canceled operations leave the expected total of progress`() async {
        let rig = rig()
        rig.queue.cancelsAllOnFailure = false
        let operations = rig.add(4)
        rig.queue.go()
        await rig.transport.waitForExchanges(8)
        rig.queue.cancel(operations[0])
        await rig.transport.wait { $0.completed == 5 }
        rig.transport.exchanges.last?.end(.timedOut)
        #expect(rig.queue.progress.download.expected == 200)
        #expect(rig.queue.progress.counts == .init(running: 2, failed: 1, cancelled: 1))
        rig.queue.cancelAll()
    }

    @Test func `An update of a run that has drained tells nothing of the next run before that drain`() async {
        let rig = rig(isAccurate: false)
        let (body, end) = AsyncStream.makeStream(of: Void.self)
        rig.add(2)
        async let summary = rig.queue.run { for await _ in body {} }
        await rig.transport.waitForExchanges(2)
        rig.transport.exchanges[0].answer(.ok())
        #expect(update(rig)?.fractionCompleted == 0.5)
        rig.transport.exchanges[1].answer(.ok())
        rig.settle()
        rig.callbacks.suspend()
        // Posts an update, which is followed by the drain.
        rig.clock.advance(by: .milliseconds(100))
        end.finish()
        #expect(await eventually { rig.queue.progress.phase == .finished })
        rig.queue.add(.test("next"))
        await rig.transport.waitForExchanges(3)
        rig.callbacks.resume()
        #expect(await summary.counts.total == 2)
        #expect(rig.recorder.updates.map(\.fractionCompleted) == [0.5, 1])
        // And the next run has its own.
        #expect(update(rig)?.fractionCompleted == 0)
        rig.transport.exchanges[2].answer(.ok())
        await rig.recorder.waitForDrain(2)
    }
}
