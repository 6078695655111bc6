import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PlanTests {
    /// Gathers the plans that a queue asks about, and gives the answers that a test sends.
    struct Desk: Sendable {
        let plans = Gathering<NetworkQueue.Plan>()
        private let answers: AsyncStream<NetworkQueue.PlanDecision>
        private let sender: AsyncStream<NetworkQueue.PlanDecision>.Continuation

        init() { (answers, sender) = AsyncStream.makeStream() }

        func answer(_ decision: NetworkQueue.PlanDecision) { sender.yield(decision) }

        func ask(_ plan: NetworkQueue.Plan) async -> NetworkQueue.PlanDecision {
            plans.add(plan)
            for await answer in answers { return answer }
            return .cancel
        }

        func plan() async throws -> NetworkQueue.Plan { try #require(await plans.wait(count: 1).first) }
    }

    let desk = Desk()

    /// A queue that asks, over a server where the size of `/N` is N and that of anything else unknown.
    func rig(
        isSizing: Bool = true, _ configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport { exchange in
                guard let size = Int(exchange.url.path().dropFirst()) else { return .status(200) }
                return exchange.method == "HEAD"
                    ? .status(200, ["Content-Length": "\(size)"]) : .ok(Data(count: size))
            },
            configure: {
                $0.showsAccurateProgress = isSizing
                $0.planHandler = desk.ask
                configure(&$0)
            })
    }

    private func gets(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.transport.exchanges.filter { $0.exchange.method == "GET" }.map(\.exchange.path)
    }

    @Test func `A plan has requests, sizes, hosts and the largest downloads, and nothing starts before the answer`()
        async throws
    {
        let rig = rig { $0.cancelsAllOnFailure = false }
        let other = try #require(URL(string: "http://other.test/30"))
        let operations = rig.queue.add(contentsOf: [
            NetworkRequest(.test("10")), NetworkRequest(other), NetworkRequest(.test("unknown")),
            NetworkRequest(.test("20")), .post(.test("5"), body: .data(Data(count: 7))),
        ])
        rig.queue.go()
        let plan = try await desk.plan()
        #expect(plan.requestCount == 5 && plan.knownBytes == 60 && plan.unknownSizeCount == 1)
        #expect(plan.requestCounts == ["host.test": 4, "other.test": 1])
        #expect(plan.largest.map(\.id) == [operations[1].id, operations[3].id, operations[0].id])
        #expect(plan.isComplete && plan.unreadCount == 0 && plan.volumes.isEmpty && plan.presentBytes == 0)
        rig.settle()
        #expect(gets(rig).isEmpty && rig.queue.progress.phase == .sizing(completed: 4, total: 4))
        desk.answer(.start)
        let summary = await rig.queue.run()
        #expect(summary.counts.finished == 5 && desk.plans.values.count == 1)
    }

    @Test func `Without sizing the question comes at once, in the phase of sizing`() async throws {
        let rig = rig(isSizing: false)
        var known = NetworkRequest(.test("3"))
        known.expectedDownloadSize = 3
        rig.queue.add(contentsOf: [known, NetworkRequest(.test("4"))])
        rig.queue.go()
        let plan = try await desk.plan()
        #expect(plan.knownBytes == 3 && plan.unknownSizeCount == 1)
        #expect(rig.queue.progress.phase == .sizing(completed: 0, total: 0))
        rig.settle()
        #expect(rig.transport.exchanges.isEmpty)
        desk.answer(.start)
        #expect(await rig.queue.run().isSuccess)
    }

    @Test func `What the answer leaves out ends as canceled, and that is no failure`() async throws {
        let rig = rig()
        let operations = rig.queue.add(contentsOf: ["1", "2", "3"].map { NetworkRequest(.test($0)) })
        rig.queue.go()
        _ = try await desk.plan()
        desk.answer(.start(without: [operations[1].id]))
        let summary = await rig.queue.run()
        #expect(operations.map(\.status) == [.finished, .cancelled, .finished])
        #expect(summary.counts.cancelled == 1 && summary.firstFailure == nil && gets(rig).sorted() == ["/1", "/3"])
    }

    @Test func `What the answer leaves out does not fail later stages`() async throws {
        let rig = rig()
        var last = NetworkRequest(.test("3"))
        last.stage = 1
        let operations = rig.queue.add(contentsOf: [NetworkRequest(.test("1")), NetworkRequest(.test("2")), last])
        rig.queue.go()
        _ = try await desk.plan()
        desk.answer(.start(without: [operations[0].id]))
        await rig.queue.run()
        #expect(operations.map(\.status) == [.cancelled, .finished, .finished])
    }

    @Test func `The answer .cancel cancels all, and what is added later runs`() async throws {
        let rig = rig()
        let operations = rig.add(3)
        rig.queue.go()
        _ = try await desk.plan()
        desk.answer(.cancel)
        #expect(await rig.queue.run().counts.cancelled == 3)
        #expect(operations.allSatisfy { $0.status == .cancelled } && gets(rig).isEmpty)
        let later = await rig.run(NetworkRequest(.test("1")))
        #expect(later.status == .finished && desk.plans.values.count == 1)
    }

    /// Notes what it is asked and told, and answers as it is set.
    private final class Delegate: NetworkQueueDelegate, Sendable {
        let answer: Bool
        let events = Gathering<String>()

        init(answer: Bool) { self.answer = answer }

        func networkQueue(_ queue: NetworkQueue, shouldStart plan: NetworkQueue.Plan) -> Bool {
            events.add("asked about \(plan.requestCount)")
            return answer
        }

        func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) { events.add("started") }

        func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
            events.add("\(error.code)")
        }

        func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) { events.add("drained") }
    }

    @Test(arguments: [true, false])
    func `The delegate is asked first, in its order of calls, and may cancel`(answer: Bool) async throws {
        let rig = rig { $0.asksBeforeStart = true }
        let delegate = Delegate(answer: answer)
        rig.queue.delegate = delegate
        rig.queue.add(.test("1"))
        rig.queue.go()
        if answer {
            #expect(try await desk.plan().requestCount == 1)
            #expect(delegate.events.values == ["asked about 1"])
            desk.answer(.start)
        }
        await rig.queue.run()
        #expect(
            delegate.events.values == ["asked about 1"] + (answer ? ["started", "drained"] : ["cancelled", "drained"]))
        #expect(desk.plans.values.count == (answer ? 1 : 0))
    }

    @Test func `A delegate is not asked unless the queue says so`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let delegate = Delegate(answer: false)
        rig.queue.delegate = delegate
        rig.queue.add(.test("1"))
        #expect(await rig.queue.run().isSuccess && delegate.events.values == ["started", "drained"])
    }

    @Test func `An empty run, a drained queue and retryFailed() are not asked about`() async throws {
        let rig = rig { $0.retryPolicy = .never }
        #expect(await rig.queue.run().counts.total == 0)
        rig.transport.setScript { _ in .status(500) }
        let failed = await rig.run(NetworkRequest(.test("1")))
        #expect(failed.status == .failed)
        rig.transport.setScript { _ in .ok() }
        rig.queue.retryFailed()
        #expect(await rig.queue.run().isSuccess && desk.plans.values.isEmpty)
    }

    @Test func `cancelAll() and reset() end the question, and a late answer has no effect`() async throws {
        let rig = rig()
        rig.add(2)
        rig.queue.go()
        _ = try await desk.plan()
        rig.queue.cancelAll()
        #expect(await rig.queue.run().counts.cancelled == 2)
        rig.queue.reset()
        let second = rig.add(2)
        rig.queue.go()
        _ = await desk.plans.wait(count: 2)
        rig.queue.reset()
        #expect(second.allSatisfy { $0.status == .cancelled })
        let third = rig.queue.add(.test("3"))
        rig.queue.go()
        _ = await desk.plans.wait(count: 3)
        // For the first two questions, which are over.
        for _ in 0..<2 { desk.answer(.cancel) }
        desk.answer(.start)
        await rig.queue.run()
        #expect(third.status == .finished)
    }

    @Test func `After cancelAll() has ended the question, what is added to the same run starts`() async throws {
        let rig = rig()
        rig.queue.add(.test("1"))
        rig.queue.go()
        _ = try await desk.plan()
        let summary = await rig.queue.run {
            rig.queue.cancelAll()
            let later = rig.queue.add(.test("2"))
            #expect(await eventually { later.status == .finished })
            // Ends a question that should not be there.
            desk.answer(.cancel)
        }
        #expect(summary.counts.cancelled == 1 && summary.counts.finished == 1)
    }

    @Test func `A task that is canceled while run() asks ends the question`() async throws {
        let rig = rig()
        rig.add(2)
        let task = Task { await rig.queue.run() }
        _ = try await desk.plan()
        task.cancel()
        #expect(await task.value.counts.cancelled == 2)
    }

    @Test func `The release of the queue ends the question`() async throws {
        let desk = desk
        var queue: NetworkQueue? = NetworkQueue(
            transport: ScriptedTransport(), delegateQueue: DispatchQueue(label: "x"))
        queue?.planHandler = desk.ask
        queue?.showsAccurateProgress = false
        let operation = try #require(queue?.add(.test("1")))
        queue?.go()
        _ = try await desk.plan()
        queue = nil
        #expect(await eventually { operation.status == .cancelled })
    }

    @Test func `The plan of a list that is being read says what is missing`() async throws {
        let rig = rig(isSizing: false)
        let (requests, sender) = AsyncStream.makeStream(of: NetworkRequest.self)
        sender.yield(NetworkRequest(.test("1")))
        async let summary = rig.queue.run(adding: requests, expectedCount: 10)
        await rig.clock.waitForScheduledCalls(2)
        rig.advance(by: .milliseconds(100))
        let plan = try await desk.plan()
        #expect(!plan.isComplete && plan.unreadCount > 0 && plan.requestCount + plan.unreadCount == 10)
        desk.answer(.start)
        sender.finish()
        #expect(await summary.counts.finished == 1)
    }

    @Test func `What the body of run() adds is asked about when it has returned`() async throws {
        let rig = rig(isSizing: false)
        async let summary = rig.queue.run { rig.add(3) }
        #expect(try await desk.plan().requestCount == 3)
        desk.answer(.start)
        #expect(await summary.counts.finished == 3 && desk.plans.values.count == 1)
    }

    /// A list that is there as a whole.
    private func list(_ count: Int) -> AsyncStream<NetworkRequest> {
        AsyncStream { list in
            for number in 0..<count { list.yield(NetworkRequest(.test("\(number)"))) }
            list.finish()
        }
    }

    @Test func `A list without sizing is asked about as soon as enough of it has been read`() async throws {
        let rig = rig(isSizing: false)
        async let summary = rig.queue.run(adding: list(1000))
        let plan = try await desk.plan()
        #expect(rig.clock.now == .zero && plan.requestCount + plan.unreadCount <= 1000 && plan.requestCount >= 256)
        desk.answer(.start)
        #expect(await summary.counts.finished == 1000)
    }

    @Test func `Requests that keep coming are asked about after a second`() async throws {
        let rig = rig(isSizing: false)
        let summary = await rig.queue.run {
            for number in 0..<12 {
                if number > 0 { rig.advance(by: .milliseconds(90)) }
                rig.queue.add(.test("1"))
            }
            #expect(desk.plans.values.isEmpty)
            rig.advance(by: .milliseconds(10))
            #expect(await desk.plans.wait(count: 1).first?.requestCount == 12)
            desk.answer(.start)
        }
        #expect(summary.counts.finished == 12)
    }

    // MARK: Files and space

    private func download(_ path: String, to file: URL, size: Int64? = nil) -> NetworkRequest {
        var request = NetworkRequest(.test(path))
        request.destination = .file(file, onConflict: .overwrite)
        request.expectedDownloadSize = size
        return request
    }

    @Test func `A plan counts parts and current files as present, and says what the volume needs`() async throws {
        let rig = rig()
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        rig.transport.setScript { exchange in
            .respond(
                status: 200, headers: ["Content-Length": "5000", "Last-Modified": date], body: Data(count: 5000))
        }
        let folder = rig.folder
        try folder.write(String(repeating: "a", count: 5000), to: "kept")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 784_111_777)],
            ofItemAtPath: folder.file("kept").path(percentEncoded: false))
        try folder.write(String(repeating: "b", count: 4096), to: "part.nqk.part")
        try folder.write("c", to: "checked")
        var kept = NetworkRequest(.test("kept"))
        kept.destination = .file(folder.file("kept"), onConflict: .keepIfCurrent(otherwise: .overwrite))
        var checked = download("checked", to: folder.file("checked"))
        checked.expectedChecksum = .md5(String(repeating: "0", count: 32))
        rig.queue.add(contentsOf: [
            kept, download("part", to: folder.file("part")), download("new", to: folder.file("x/y/new")), checked,
        ])
        rig.queue.go()
        let plan = try await desk.plan()
        #expect(plan.knownBytes == 20_000 && plan.presentBytes == 5000 + 4096 && plan.unverifiedCount == 1)
        #expect(plan.volumes.count == 1 && plan.volumes.first?.neededBytes == 5000 - 4096 + 5000)
        #expect((plan.volumes.first?.freeBytes ?? 0) > 0)
        desk.answer(.cancel)
        await rig.queue.run()
    }

    @Test(arguments: [true, false])
    func `What does not fit fails before the first byte, as one failure`(cancelsAll: Bool) async throws {
        let rig = rig(isSizing: false) {
            $0.planHandler = nil
            $0.requiresSpace = true
            $0.cancelsAllOnFailure = cancelsAll
        }
        let huge: Int64 = 1 << 49
        let operations = rig.queue.add(contentsOf: [
            NetworkRequest(.test("1")), download("a", to: rig.folder.file("a"), size: huge),
            download("b", to: rig.folder.file("b"), size: 1), download("c", to: rig.folder.file("c")),
        ])
        await rig.queue.run()
        let rest: RequestOperation.Status = cancelsAll ? .cancelled : .finished
        #expect(operations.map(\.status) == [rest, .failed, .failed, rest])
        let error = try #require(operations[2].error)
        let space = try #require(error.space)
        #expect(error.code == .insufficientSpace && space.needed == huge + 1 && space.free < huge)
        #expect(error.localizedDescription.hasPrefix("The files need \(space.needed) bytes, and “\(space.path)” has "))
        #expect((error as NSError).code == 1023)
        #expect(gets(rig).allSatisfy { $0 != "/a" && $0 != "/b" })
        #expect(!FileManager.default.fileExists(atPath: rig.folder.file("b").path(percentEncoded: false)))
    }

    @Test func `A run that is refused fails as a whole, and its list is read no further`() async throws {
        let rig = rig(isSizing: false) { $0.cancelsAllOnFailure = false }
        rig.queue.planHandler = { _ in .refuse(.init(path: "/disk", neededBytes: 2, freeBytes: 1)) }
        let summary = await rig.queue.run(adding: list(1000))
        #expect(summary.counts.failed >= 256 && summary.counts.failed == summary.counts.total)
        #expect(summary.counts.total < 1000 && rig.transport.exchanges.isEmpty)
        let error = try #require(summary.firstFailure?.error)
        #expect(error.code == .insufficientSpace && error.space ?? (0, 0, "") == (2, 1, "/disk"))
    }

    @Test func `What the answer leaves out needs no space`() async throws {
        let rig = rig(isSizing: false) { $0.requiresSpace = true }
        let operations = rig.queue.add(contentsOf: [
            download("huge", to: rig.folder.file("a"), size: 1 << 49), download("1", to: rig.folder.file("b"), size: 1),
        ])
        rig.queue.go()
        _ = try await desk.plan()
        desk.answer(.start(without: [operations[0].id]))
        await rig.queue.run()
        #expect(operations.map(\.status) == [.cancelled, .finished])
    }
}
