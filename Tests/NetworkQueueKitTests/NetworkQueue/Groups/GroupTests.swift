import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct GroupTests {
    private func rig(
        limit: Int = 9, cancelsAll: Bool = false, configure: (inout NetworkQueue.Configuration) -> Void = { _ in },
        onEvent: @escaping @Sendable (NetworkQueue, NetworkQueue.Event) -> Void = { _, _ in }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            configure: {
                $0.maxConcurrentRequestCount = limit
                $0.cancelsAllOnFailure = cancelsAll
                configure(&$0)
            }, onEvent: onEvent)
    }

    private func request(_ path: String, group: String?) -> NetworkRequest {
        .test(path) { $0.group = group }
    }

    private func exchange(_ path: String, _ rig: QueueRig<NetworkQueue>) throws -> ScriptedExchange {
        rig.settle()
        return try #require(rig.transport.exchanges.last { $0.path == path && !$0.isOver })
    }

    private func started(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.settle()
        return rig.transport.exchanges.map(\.path)
    }

    // MARK: Names and members

    @Test func `A group has the requests of its name, as bytes, in order of first appearance`() async throws {
        let rig = rig()
        // The second and the third name look alike, but have other bytes.
        let names = ["b", "\u{FC}", "u\u{308}", nil, "b", "a"]
        let operations = names.enumerated().map { rig.queue.add(request("\($0)", group: $1)) }
        let album = rig.queue.group("new")
        #expect(
            rig.queue.groups.map(\.name).map { Array($0.utf8) }
                == ["b", "\u{FC}", "u\u{308}", "a"].map { Array($0.utf8) })
        let added = album.add(URL.test("6"))
        #expect(added.request.group == "new" && album.requests == [added])
        #expect(rig.queue.groups.last == album && rig.queue.group("new") == album)
        #expect(rig.queue.group("b").requests == [operations[0], operations[4]])
        #expect(rig.queue.groups[1].requests == [operations[1]] && rig.queue.groups[2].requests == [operations[2]])
        rig.queue.reset()
    }

    @Test(arguments: [
        ("", false), ("x", true), (String(repeating: "y", count: 255), true),
        (String(repeating: "\u{FC}", count: 128), false),
    ])
    func `The name of a group has 1 to 255 bytes`(name: String, isSupported: Bool) async {
        let rig = rig()
        let operation = rig.queue.add(request("a", group: name))
        rig.queue.go()
        if isSupported {
            #expect(rig.queue.groups.map(\.name) == [name])
            rig.queue.cancelAll()
            await rig.recorder.waitForDrain()
        } else {
            await rig.recorder.waitForDrain()
            #expect(operation.error?.code == .unsupportedConfiguration && rig.queue.groups.isEmpty)
            #expect(rig.queue.group(name).requests.isEmpty && rig.recorder.groupEnds.isEmpty)
        }
    }

    @Test func `A request queue keeps the group, and so does a record`() throws {
        let rig = QueueRig<RequestQueue>.requestQueue()
        let operation = rig.queue.add(request("a", group: "album"))
        #expect(operation.request.group == "album" && operation.status != .failed)
        let data = try JSONEncoder().encode(operation.request.record)
        #expect(NetworkRequest(try JSONDecoder().decode(NetworkRequest.Record.self, from: data)).group == "album")
        operation.cancel()
    }

    // MARK: The end

    @Test func `A group ends after the last callback about a member and before the drain`() async throws {
        let rig = rig()
        rig.queue.add(contentsOf: [
            request("a", group: "1"), request("b", group: "1"), request("c", group: "2"), request("d", group: nil),
        ])
        let groups = rig.queue.groups
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        try exchange("/a", rig).answer(.ok(Data(count: 3)))
        #expect(rig.recorder.groupEnds.isEmpty)
        try exchange("/b", rig).answer(.status(404))
        rig.settle()
        #expect(rig.recorder.events.suffix(2).map(\.kind) == [.didFail, .groupDidFinish])
        let end = try #require(rig.recorder.groupEnds.first)
        #expect(end.group == groups[0] && end.summary.counts == .init(finished: 1, failed: 1))
        #expect(end.summary.bytesReceived == 3 && end.summary.firstFailure?.operation.path == "/b")
        #expect(groups[0].progress.phase == .finished && groups[0].progress.fractionCompleted == 1)
        #expect(groups[1].progress.phase == .transferring && rig.queue.groups == groups)
        try exchange("/c", rig).answer(.ok())
        try exchange("/d", rig).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.groupEnds.map(\.group) == groups)
        #expect(rig.recorder.events.last?.kind == .queueDidFinish)
    }

    @Test func `A member that is added when the group's end is told begins a new pass of the same run`() async throws {
        let rig = rig(onEvent: { queue, event in
            guard case .groupDidFinish(let group, _) = event, group.progress.counts.total < 4 else { return }
            #expect(group.progress.fractionCompleted == 1)
            group.add(.test("more"))
            #expect(group.progress.fractionCompleted < 1)
        })
        rig.transport.setScript { _ in .ok(Data(count: 2)) }
        let group = rig.queue.group("album")
        group.add(contentsOf: [.test("a") { _ in }, .test("b") { _ in }])
        let summary = await rig.queue.run()
        #expect(summary.counts == .init(finished: 4))
        #expect(
            rig.recorder.groupEnds.map(\.summary.counts) == [
                .init(finished: 2), .init(finished: 1), .init(finished: 1),
            ])
        #expect(rig.recorder.groupEnds.map(\.summary.bytesReceived) == [4, 2, 2])
        #expect(rig.recorder.summaries.count == 1)
    }

    @Test func `A second pass counts from its first member, and its bytes go on`() async throws {
        let rig = rig { $0.showsAccurateProgress = true }
        let group = rig.queue.group("album")
        let keeper = rig.queue.add(.test("other") { $0.expectedDownloadSize = 1 })
        rig.queue.go()
        group.add(.test("a") { $0.expectedDownloadSize = 100 })
        try exchange("/a", rig).answer(.ok(Data(count: 100)))
        rig.settle()
        #expect(group.progress.fractionCompleted == 1)
        group.add(.test("b") { $0.expectedDownloadSize = 50 })
        #expect(group.progress.fractionCompleted == 0 && group.progress.download.transferred == 100)
        let exchange = try exchange("/b", rig)
        exchange.receive(headers: ["Content-Length": "50"])
        exchange.receive(Data(count: 25))
        rig.settle()
        #expect(group.progress.fractionCompleted == 0.5 && group.progress.counts == .init(running: 1, finished: 1))
        #expect(group.progress.download == .init(transferred: 125, expected: 150))
        exchange.receive(Data(count: 25))
        exchange.end()
        rig.settle()
        #expect(group.progress.fractionCompleted == 1)
        #expect(rig.recorder.groupEnds.map(\.summary.counts) == [.init(finished: 1), .init(finished: 1)])
        keeper.cancel()
        await rig.recorder.waitForDrain()
    }

    @Test func `Requests that are added together are one pass, however soon they end`() async {
        let rig = rig()
        rig.transport.setScript { _ in .ok() }
        rig.queue.go()
        await rig.recorder.waitForDrain()
        rig.queue.group("album").add(contentsOf: (0..<300).map { .test("\($0)") { _ in } })
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.groupEnds.map(\.summary.counts) == [.init(finished: 300)])
    }

    @Test func `A group whose members are canceled before go() ends after it`() async {
        let rig = rig()
        let group = rig.queue.group("album")
        group.add(.test("a"))
        group.cancelAll()
        rig.settle()
        #expect(rig.recorder.groupEnds.isEmpty)
        await rig.queue.run()
        #expect(rig.recorder.groupEnds.map(\.summary.counts) == [.init(cancelled: 1)])
        #expect(rig.recorder.events.last?.kind == .queueDidFinish)
    }

    @Test(arguments: [false, true])
    func `After a drain or a reset a handle is empty, and its summary is what was told last`(isReset: Bool) async throws
    {
        let rig = rig()
        let group = rig.queue.group("album")
        group.maxConcurrentRequestCount = 1
        group.add(contentsOf: [.test("a") { _ in }, .test("b") { _ in }])
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        try exchange("/a", rig).answer(.ok())
        try exchange("/b", rig).receive(headers: ["Content-Length": "2"])
        rig.settle()
        if isReset {
            rig.queue.reset()
            #expect(await group.summary().counts == .init(running: 1, finished: 1))
        } else {
            try exchange("/b", rig).end(.timedOut)
            await rig.recorder.waitForDrain()
            #expect(await group.summary().counts == .init(finished: 1, failed: 1))
        }
        #expect(group.requests.isEmpty && group.progress == QueueProgress() && rig.queue.groups.isEmpty)
        // A new group of the name has neither the limit nor the counts.
        group.add(contentsOf: [.test("c") { _ in }, .test("d") { _ in }])
        if isReset { rig.queue.go() }
        await rig.transport.waitForExchanges(4)
        let next = try #require(rig.queue.groups.first)
        #expect(next != group && next.progress.counts.total == 2 && next.requests.count == 2)
        rig.queue.cancelAll()
        #expect(await next.summary().counts == .init(cancelled: 2))
    }

    @Test func `A summary is awaited until the members have ended and the delegate has been told`() async throws {
        let rig = rig()
        let group = rig.queue.group("album")
        #expect(await group.summary().counts == .init())
        group.add(.test("a"))
        rig.queue.add(.test("other"))
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        async let summary = group.summary()
        let cancelled = Task { await group.summary() }
        cancelled.cancel()
        #expect(await cancelled.value.counts == .init(running: 1))
        try exchange("/a", rig).answer(.ok())
        #expect(await summary.counts == .init(finished: 1))
        #expect(rig.recorder.groupEnds.count == 1 && rig.queue.progress.phase != .finished)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `retryFailed() runs a request again in its group`() async throws {
        let rig = rig()
        rig.queue.add(request("a", group: "album"))
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        try exchange("/a", rig).end(.timedOut)
        await rig.recorder.waitForDrain()
        rig.queue.retryFailed()
        #expect(rig.queue.groups.map(\.name) == ["album"])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.groupEnds.map(\.summary.counts) == [.init(failed: 1), .init(cancelled: 1)])
    }

    // MARK: Limits

    @Test func `The limit of a group holds back its members and nobody else`() async throws {
        let rig = rig(limit: 4)
        let album = rig.queue.group("album")
        album.maxConcurrentRequestCount = 1
        album.add(contentsOf: ["a", "b", "c"].map { .test($0) { _ in } })
        rig.queue.add(contentsOf: ["d", "e"].map { .test($0) { _ in } })
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        #expect(started(rig) == ["/a", "/d", "/e"])
        try exchange("/a", rig).answer(.ok())
        #expect(started(rig) == ["/a", "/d", "/e", "/b"])
        album.maxConcurrentRequestCount = nil
        #expect(started(rig) == ["/a", "/d", "/e", "/b", "/c"])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `A limit that is set when members wait covers those that run`() async throws {
        let rig = rig(limit: 2)
        let album = rig.queue.group("album")
        album.add(contentsOf: ["a", "b", "c"].map { .test($0) { _ in } })
        rig.queue.add(.test("d"))
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        album.maxConcurrentRequestCount = 1
        try exchange("/a", rig).answer(.ok())
        #expect(started(rig) == ["/a", "/b", "/d"])
        try exchange("/b", rig).answer(.ok())
        #expect(started(rig) == ["/a", "/b", "/d", "/c"])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `The limit covers size requests`() async throws {
        let rig = rig { $0.showsAccurateProgress = true }
        let album = rig.queue.group("album")
        album.maxConcurrentRequestCount = 2
        album.add(contentsOf: (0..<5).map { .test("\($0)") { _ in } })
        rig.queue.add(.test("other"))
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        #expect(started(rig) == ["/0", "/1", "/other"])
        try exchange("/0", rig).answer(.ok())
        #expect(started(rig) == ["/0", "/1", "/other", "/2"])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    // MARK: Failures

    @Test(arguments: [true, false, nil], [true, false])
    func `A failure cancels what the rule of its group says`(own: Bool?, queues: Bool) async throws {
        let rig = rig(cancelsAll: queues)
        let album = rig.queue.group("album")
        album.cancelsAllOnFailure = own
        let members = album.add(contentsOf: ["a", "b"].map { .test($0) { _ in } })
        let other = rig.queue.add(request("c", group: "other"))
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        try exchange("/a", rig).end(.timedOut)
        rig.settle()
        #expect(members[0].error?.code == .timedOut)
        let (cancelsGroup, cancelsAll) = (own ?? queues, own == nil && queues)
        #expect(members[1].isCancelled == cancelsGroup && other.isCancelled == cancelsAll)
        // What is added afterwards is not affected.
        let late = album.add(.test("late"))
        rig.settle()
        #expect(late.status == .running)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test(arguments: [true, false])
    func `A failure elsewhere under the queue's rule cancels every group`(own: Bool) async throws {
        let rig = rig(cancelsAll: true)
        let album = rig.queue.group("album")
        album.cancelsAllOnFailure = own
        let member = album.add(.test("a"))
        rig.queue.add(.test("b"))
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        try exchange("/b", rig).end(.timedOut)
        await rig.recorder.waitForDrain()
        #expect(member.error?.code == .cancelled)
        // Requests that a failure has canceled may be run again.
        #expect(rig.queue.retryFailed(includingCancelled: true).count == 2)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain(2)
    }

    // MARK: All members

    @Test func `All members can be canceled, paused and resumed`() async throws {
        let rig = rig(limit: 2)
        let album = rig.queue.group("album")
        let members = album.add(contentsOf: ["a", "b", "c", "d"].map { .test($0) { _ in } })
        let other = rig.queue.add(.test("e"))
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        members[3].pause()
        album.pauseAll()
        await rig.transport.waitForExchanges(3)
        rig.settle()
        #expect(members.allSatisfy { $0.status == .paused } && other.status == .running)
        #expect(album.progress.counts == .init(paused: 4))
        album.resumeAll()
        rig.settle()
        #expect(members[3].status == .paused && members.dropLast().allSatisfy { $0.status != .paused })
        album.cancelAll()
        rig.settle()
        #expect(members.allSatisfy { $0.error?.code == .cancelled } && other.status == .running)
        #expect(rig.recorder.groupEnds.map(\.summary.counts) == [.init(cancelled: 4)])
        other.cancel()
        await rig.recorder.waitForDrain()
    }

    @Test func `The object for user interfaces follows the group and acts on it`() async throws {
        let rig = rig()
        let album = rig.queue.group("album")
        let members = album.add(contentsOf: ["a", "b"].map { .test($0) { _ in } })
        let other = rig.queue.add(.test("c"))
        let object = album.foundationProgress
        #expect(object === album.foundationProgress && object.fractionCompleted == 0)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        try exchange("/a", rig).answer(.ok())
        rig.advance(by: .milliseconds(100))
        #expect(object.fractionCompleted == 0.5)
        object.cancel()
        await rig.recorder.wait { $0.contains { $0.kind == .groupDidFinish } }
        #expect(members[1].error?.code == .cancelled && object.fractionCompleted == 1 && other.status == .running)
        other.cancel()
        await rig.recorder.waitForDrain()
    }

    @Test func `The object that is asked for after a group's end is for its next pass`() async throws {
        let rig = rig()
        let album = rig.queue.group("album")
        album.add(.test("a"))
        let other = rig.queue.add(.test("b"))
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        try exchange("/a", rig).answer(.ok())
        rig.settle()
        let object = album.foundationProgress
        let exchangeOfOther = try exchange("/b", rig)
        exchangeOfOther.receive(headers: ["Content-Length": "2"])
        exchangeOfOther.receive(Data(count: 1))
        rig.advance(by: .milliseconds(100))
        #expect(object.fractionCompleted == 0)
        album.add(.test("c"))
        try exchange("/c", rig).answer(.ok())
        rig.settle()
        #expect(object.fractionCompleted == 1)
        other.cancel()
        await rig.recorder.waitForDrain()
    }

    @Test func `Requests of before a reset do not count for the limit of a new group`() async throws {
        let transport = ScriptedTransport(obeysCancellation: false)
        let rig = QueueRig(transport, configure: { $0.showsAccurateProgress = false })
        for path in ["a", "b"] {
            let album = rig.queue.group("album")
            album.maxConcurrentRequestCount = 1
            album.add(.test(path))
            rig.queue.go()
            await transport.waitForExchanges(path == "a" ? 1 : 2)
            rig.queue.reset()
        }
        #expect(started(rig) == ["/a", "/b"])
        for exchange in transport.exchanges { exchange.end(.cancelled) }
        await rig.queue.waitUntilEmpty()
    }

    @Test func `A group's object does not outlive the group`() {
        weak var object: Foundation.Progress?
        do {
            let rig = rig()
            object = rig.queue.group("album").foundationProgress
            #expect(object != nil)
            rig.queue.reset()
        }
        #expect(object == nil)
    }

    @Test func `The time that a group's requests need at the queue's rate bounds its remaining time`() async throws {
        let rig = rig { $0.requestRate = RequestRate(1, per: .seconds(60)) }
        let album = rig.queue.group("album")
        album.add(contentsOf: ["a", "b", "c"].map { .test($0) { _ in } })
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        rig.settle()
        #expect(album.progress.estimatedTimeRemaining == .seconds(120))
        #expect(rig.queue.progress.estimatedTimeRemaining == .seconds(120))
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `A group that is left alone does not keep the queue`() {
        var rig: QueueRig<NetworkQueue>? = rig()
        let group = rig?.queue.group("album")
        group?.add(.test("a"))
        rig = nil
        #expect(group?.requests.isEmpty == true && group?.progress == QueueProgress())
        #expect(group?.add(.test("b")).isCancelled == true)
    }
}
