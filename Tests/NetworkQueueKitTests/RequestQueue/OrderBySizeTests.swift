import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OrderBySizeTests {
    private func request(_ path: String, size: Int64? = nil) -> NetworkRequest {
        .test(path) { $0.expectedDownloadSize = size }
    }

    /// A queue in which `/0` runs, with room for one.
    private func rig(_ kind: QueueKind, _ mode: QueueMode) async -> QueueRig<any RequestQueueing> {
        let rig = QueueRig(kind, limit: 1)
        rig.queue.add(.test("0"))
        await rig.transport.waitForExchanges(1)
        rig.queue.change(\.mode, to: mode)
        return rig
    }

    /// The paths in the order in which they start, after those that have started.
    private func order(_ rig: QueueRig<any RequestQueueing>) async -> [String] {
        let listed = rig.queue.requests.map(\.path)
        rig.settle()
        rig.transport.setScript { .ok(Data(count: $0.url.path() == "/large" ? 1000 : 0)) }
        let running = rig.transport.exchanges.filter { !$0.isOver }
        for exchange in running { exchange.answer(.ok()) }
        await rig.queue.waitUntilEmpty()
        let started = rig.transport.exchanges.map(\.path)
        #expect(started.suffix(listed.count) == listed[...], "`requests` has the order of the starts.")
        return Array(started.suffix(listed.count - running.count))
    }

    @Test(arguments: QueueKind.allCases, [QueueMode.smallestFirst, .largestFirst])
    func `Requests start by known size, unknown ones last, and equal ones in the order of adding`(
        kind: QueueKind, mode: QueueMode
    ) async {
        let rig = await rig(kind, mode)
        for (path, size) in [("x", nil), ("b", 0), ("a", 0), ("large", 1000), ("y", nil), ("c", 0)]
            as [(String, Int64?)]
        {
            rig.queue.add(request(path, size: size))
        }
        let expected = mode == .smallestFirst ? "b a c large x y" : "large b a c x y"
        #expect(await order(rig) == expected.split(separator: " ").map { "/\($0)" })
    }

    @Test(arguments: QueueKind.allCases)
    func `An upload starts by the length of its content, and an estimated size counts for nothing`(kind: QueueKind)
        async throws
    {
        let rig = await rig(kind, .smallestFirst)
        let file = rig.folder.file("file")
        try Data(count: 20).write(to: file)
        rig.queue.add(.test("estimated") { $0.estimatedDownloadSize = 1 })
        rig.queue.add(.put(.test("30"), body: .data(Data(count: 30))))
        rig.queue.add(.put(.test("file"), body: .file(file)))
        rig.queue.add(.put(.test("10"), body: .data(Data(count: 10))))
        #expect(await order(rig) == ["/10", "/file", "/30", "/estimated"])
    }

    @Test(arguments: QueueKind.allCases)
    func `A change of the mode reorders the waiting requests, both ways`(kind: QueueKind) async throws {
        let rig = await rig(kind, .firstInFirstOut)
        let file = rig.folder.file("file")
        try Data(count: 7).write(to: file)
        for size in [5, 9, 1] { rig.queue.add(.put(.test("\(size)"), body: .data(Data(count: size)))) }
        rig.queue.add(.put(.test("file"), body: .file(file)))
        func paths(_ mode: QueueMode) -> [String] {
            rig.queue.change(\.mode, to: mode)
            return rig.queue.requests.dropFirst().map(\.path)
        }
        #expect(paths(.smallestFirst) == ["/1", "/5", "/file", "/9"])
        #expect(paths(.lastInFirstOut) == ["/file", "/1", "/9", "/5"])
        #expect(paths(.largestFirst) == ["/9", "/file", "/5", "/1"])
        #expect(paths(.firstInFirstOut) == ["/5", "/9", "/1", "/file"])
        #expect(paths(.largestFirst) == ["/9", "/file", "/5", "/1"])
        #expect(await order(rig) == ["/9", "/file", "/5", "/1"])
    }

    @Test(arguments: QueueKind.allCases)
    func `A priority and the return from a pause precede the size`(kind: QueueKind) async {
        let rig = await rig(kind, .smallestFirst)
        let operations = [9, 1, 5].map { size in
            rig.queue.add(.put(.test("\(size)"), body: .data(Data(count: size))))
        }
        rig.queue.add(.test("high") { $0.priority = .high })
        operations[0].pause()
        operations[0].resume()
        #expect(await order(rig) == ["/high", "/9", "/1", "/5"])
    }

    // MARK: Sizing

    private func sizedRig(_ mode: QueueMode, timeout: Duration = .seconds(10)) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport { _ in .hold },
            configure: {
                $0.showsAccurateProgress = true
                $0.maxConcurrentRequestCount = 1
                $0.mode = mode
                $0.sizingTimeout = timeout
            })
    }

    @Test(arguments: [QueueMode.smallestFirst, .largestFirst])
    func `A NetworkQueue orders requests by the sizes that it has asked for`(mode: QueueMode) async {
        let rig = sizedRig(mode)
        rig.add(3)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        let sizes = ["/0": 20, "/1": 30, "/2": 10]
        rig.transport.setScript { .ok(Data(count: sizes[$0.url.path()] ?? 0)) }
        for exchange in rig.transport.exchanges {
            exchange.answer(.status(200, ["Content-Length": "\(sizes[exchange.path] ?? 0)"]))
        }
        await rig.recorder.waitForDrain()
        let started = rig.transport.exchanges.dropFirst(3).map(\.path)
        #expect(started == (mode == .smallestFirst ? ["/2", "/0", "/1"] : ["/1", "/0", "/2"]))
    }

    @Test func `A size that becomes known beside the transfers moves its request`() async {
        let rig = sizedRig(.smallestFirst, timeout: .seconds(1))
        let operations = rig.add(4)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        rig.advance(by: .seconds(1))
        // Nothing is known: the first one starts, and its probe is dropped.
        await rig.transport.waitForExchanges(5)
        #expect(rig.queue.requests == operations)
        rig.transport.exchanges[3].answer(.status(200, ["Content-Length": "30"]))
        rig.settle()
        #expect(rig.queue.requests.map(\.path) == ["/0", "/3", "/1", "/2"])
        rig.transport.exchanges[2].answer(.status(200, ["Content-Length": "20"]))
        rig.settle()
        #expect(rig.queue.requests.map(\.path) == ["/0", "/2", "/3", "/1"])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `A size that sizing tells orders a request even if it equals the estimate`() async {
        let rig = sizedRig(.smallestFirst)
        let requests = ["a", "b"].map { path in
            NetworkRequest.test(path) { $0.estimatedDownloadSize = path == "a" ? nil : 10 }
        }
        rig.queue.add(contentsOf: requests)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.transport.setScript { _ in .ok(Data(count: 10)) }
        for exchange in rig.transport.exchanges {
            exchange.answer(.status(200, exchange.path == "/a" ? [:] : ["Content-Length": "10"]))
        }
        await rig.recorder.waitForDrain()
        #expect(rig.transport.exchanges.dropFirst(2).map(\.path) == ["/b", "/a"])
    }
}
