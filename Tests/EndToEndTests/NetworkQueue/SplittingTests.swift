import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SplittingTests {
    static let size: Int64 = 2 << 20
    static let rule = NetworkRequest.Splitting(maxParts: 4, minPartSize: 128 << 10)
    static let file = ScriptedResponse.generated(size: size, seed: 1).acceptingRanges(etag: "\"1\"")
    static let content = GeneratedContent(size: size, seed: 1)

    static func rig(
        _ kind: TransportKind, slots: Int = 4, configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) throws -> LiveRig<NetworkQueue> {
        try LiveRig(kind) {
            $0.maxConcurrentRequestCount = slots
            $0.splitting = rule
            configure(&$0)
        }
    }

    func request(_ rig: LiveRig<NetworkQueue>, _ name: String = "a") -> NetworkRequest {
        NetworkRequest(rig.server.url("/\(name)"), destination: .file(rig.folder.file(name)))
    }

    /// Expects that the download has ended with the whole file at `a`, and has left nothing else.
    static func expectWhole(
        _ operation: RequestOperation, _ rig: LiveRig<NetworkQueue>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(operation.error == nil, sourceLocation: sourceLocation)
        #expect(operation.attempts == 1, sourceLocation: sourceLocation)
        #expect(try content.matches(contentsOf: rig.folder.file("a")), sourceLocation: sourceLocation)
        #expect(rig.folder.contents == ["a"], sourceLocation: sourceLocation)
    }

    /// Starts a download whose four exchanges each stall after `cut` bytes, and waits until they do.
    private func startStalling(_ rig: LiveRig<NetworkQueue>, after cut: Int64) async -> RequestOperation {
        let operation = rig.queue.add(request(rig))
        rig.queue.go()
        #expect(await eventually { operation.progress.download.transferred == cut * 4 })
        return operation
    }

    /// Serves the file, whose own response waits behind its head until there are so many requests in all.
    static func serve(
        _ rig: LiveRig<NetworkQueue>, _ name: String = "a", _ file: ScriptedResponse = file, untilThereAre count: Int,
        parts: (@Sendable (ReceivedRequest) -> ScriptedResponse)? = nil
    ) {
        let first = Gate()
        let arrivals = Counter()
        rig.server.serve("/\(name)") { request in
            if arrivals.increment() >= count { first.open() }
            return request.headers["Range"] == nil ? file.gated(by: first, at: .afterHead) : parts?(request) ?? file
        }
    }

    /// Serves a response whose content waits until four exchanges have asked for theirs: how the rest of a share that
    /// has begun is divided depends on what has come of it.
    static func serveAtOnce(_ rig: LiveRig<NetworkQueue>, _ response: ScriptedResponse = file) {
        let gate = Gate()
        let arrivals = Counter()
        rig.server.serve("/a") { _ in
            if arrivals.increment() == 4 { gate.open() }
            return response.gated(by: gate, at: .afterHead)
        }
    }

    final class Counter: Sendable {
        private let value = Guarded(0)
        func increment() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Slots that nothing waits for take the second half of the largest remainder`(kind: TransportKind) async throws
    {
        let rig = try Self.rig(kind)
        Self.serveAtOnce(rig)
        let operation = await rig.run(request(rig))
        try Self.expectWhole(operation, rig)
        #expect(operation.responseHead?.statusCode == 200)
        let ranges = Set(rig.server.requests.prefix(4).map { $0.headers["Range"] ?? "" })
        #expect(ranges == ["", "bytes=1048576-2097151", "bytes=524288-1048575", "bytes=1572864-2097151"])
        #expect(rig.server.requests.dropFirst().allSatisfy { $0.headers["If-Range"] == "\"1\"" })
        #expect(rig.server.peakConcurrentRequestCount <= 4)
        #expect(rig.recorder.summaries[0].counts == .init(finished: 1))
        #expect(rig.recorder.summaries[0].bytesReceived == Self.size)
        #expect(operation.progress.download == .init(transferred: Self.size, expected: Self.size))
        #expect(operation.metrics?.bytesReceived == Self.size)
    }

    @Test(arguments: TransportKind.allCases)
    func `A queue without a rule, a request with one part, and a batch that needs its slots split nothing`(
        kind: TransportKind
    ) async throws {
        let rig = try Self.rig(kind, slots: 1)
        rig.server.serve("/a", Self.file)
        #expect(await rig.run(request(rig)).error == nil)
        rig.queue.maxConcurrentRequestCount = 4
        rig.server.serve("/b", Self.file)
        var single = request(rig, "b")
        single.splitting = .init(maxParts: 1)
        #expect(await rig.run(single).error == nil)
        rig.queue.splitting = nil
        rig.server.serve("/c", Self.file)
        #expect(await rig.run(request(rig, "c")).error == nil)
        #expect(rig.server.requests.count == 3)
    }

    /// A response to which nobody helps.
    static let whole: [Answer] = [
        Answer(testDescription: "no ranges", response: .generated(size: size, seed: 1).header("ETag", "\"1\"")),
        Answer(
            testDescription: "a weak tag", response: .generated(size: size, seed: 1).acceptingRanges(etag: "W/\"1\"")),
        Answer(testDescription: "no validator", response: .generated(size: size, seed: 1).acceptingRanges()),
        Answer(testDescription: "no length", response: file.chunked()),
    ]

    @Test(arguments: TransportKind.allCases, whole)
    func `A server that has not shown size, ranges and a usable validator is asked for no part`(
        kind: TransportKind, answer: Answer
    ) async throws {
        let rig = try Self.rig(kind)
        rig.server.serve("/a", answer.response)
        try Self.expectWhole(await rig.run(request(rig)), rig)
        #expect(rig.server.requests.count == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `A host's limit holds for the parts, too`(kind: TransportKind) async throws {
        let rig = try Self.rig(kind, slots: 8) { $0.maxConcurrentRequestCountPerHost = 2 }
        Self.serve(rig, untilThereAre: 2)
        try Self.expectWhole(await rig.run(request(rig)), rig)
        #expect(rig.server.peakConcurrentRequestCount <= 2 && rig.server.requests.count >= 2)
    }

    @Test(arguments: TransportKind.allCases)
    func `A request that comes to wait gets the next slot`(kind: TransportKind) async throws {
        let rig = try Self.rig(kind, slots: 2)
        let first = Gate()
        let helper = Gate()
        rig.server.serve("/a") {
            $0.headers["Range"] == nil
                ? Self.file.gated(by: first, at: .afterHead) : Self.file.gated(by: helper, at: .afterHead)
        }
        rig.server.serve("/b", .text("b"))
        let operation = rig.queue.add(request(rig))
        rig.queue.go()
        await helper.waitForArrival()
        let other = rig.queue.add(NetworkRequest(rig.server.url("/b")))
        helper.letThrough()
        #expect(try await other.response().data == Data("b".utf8))
        #expect(!operation.status.isTerminal)
        #expect(rig.server.requests.map(\.path).prefix(3) == ["/a", "/a", "/b"])
        first.open()
        helper.open()
        #expect((try? await operation.response()) != nil)
        #expect(try Self.content.matches(contentsOf: rig.folder.file("a")))
    }

    /// What a server may answer a part with.
    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: ScriptedResponse
    }

    static let answers: [Answer] = [
        Answer(testDescription: "200", response: .generated(size: size, seed: 1).header("ETag", "\"1\"")),
        Answer(
            testDescription: "another version", response: .generated(size: size, seed: 2).acceptingRanges(etag: "\"2\"")
        ),
        Answer(
            testDescription: "the same tag and another part",
            response: .data(Data(repeating: 0, count: 1000), status: 206).header("ETag", "\"1\"")
                .header("Content-Range", "bytes 0-999/\(size)")),
        Answer(
            testDescription: "no tag",
            response: .data(Data(repeating: 0, count: 1000), status: 206)
                .header("Content-Range", "bytes 1048576-1049575/\(size)")),
        Answer(testDescription: "416", response: .status(416).header("Content-Range", "bytes */\(size)")),
        Answer(testDescription: "429", response: .status(429).header("Retry-After", "3600")),
        Answer(testDescription: "503", response: .status(503)), Answer(testDescription: "404", response: .status(404)),
        Answer(testDescription: "a lost connection", response: .hangUp),
        Answer(testDescription: "a redirect in a circle", response: .redirect(to: "/a")),
    ]

    @Test(arguments: TransportKind.allCases, answers)
    func `A server that gives no parts ends the splitting and not the download`(kind: TransportKind, answer: Answer)
        async throws
    {
        let rig = try Self.rig(kind)
        Self.serve(rig, untilThereAre: 2) { _ in answer.response }
        let operation = await rig.run(request(rig))
        try Self.expectWhole(operation, rig)
        await rig.queue.waitUntilEmpty()
        #expect(rig.queue.requestCount == 0)
    }

    private struct HoldRecorder: QueueMonitor {
        let holds = Gathering<Duration>()

        func didHold(host: String, for delay: Duration, in context: AttemptContext) { holds.add(delay) }
    }

    @Test(arguments: TransportKind.allCases)
    func `The time that a server asks for in place of a part holds back its other requests`(kind: TransportKind)
        async throws
    {
        let rig = try Self.rig(kind) { $0.retryPolicy = .standard }
        let recorder = HoldRecorder()
        rig.queue.monitors = [recorder]
        let gate = Gate()
        rig.server.serve("/a") { request in
            request.headers["Range"] == nil
                ? Self.file.gated(by: gate, at: .afterHead) : .status(503).header("Retry-After", "1")
        }
        async let ended = rig.run(request(rig))
        #expect(await recorder.holds.wait(count: 1).contains(.seconds(1)))
        gate.open()
        let operation = await ended
        try Self.expectWhole(operation, rig)
    }

    @Test(arguments: TransportKind.allCases)
    func `A part that breaks off is left to the others`(kind: TransportKind) async throws {
        let rig = try Self.rig(kind)
        // Fewer than the exchanges in a row that may break off: how many of them follow each other is a matter of time.
        let count = Counter()
        Self.serve(rig, untilThereAre: 4) { _ in
            count.increment() < 8 ? Self.file.dropping(after: 100_000) : Self.file
        }
        let operation = await rig.run(request(rig))
        try Self.expectWhole(operation, rig)
    }

    @Test(arguments: TransportKind.allCases)
    func `The download's own exchange that breaks off is made up for by the others`(kind: TransportKind) async throws {
        let rig = try Self.rig(kind)
        let first = Gate()
        let parts = Counter()
        let helper = Gate()
        rig.server.serve("/a") { request in
            if request.headers["Range"] == nil {
                return Self.file.gated(by: first, at: .afterHead).dropping(after: 500_000)
            }
            first.open()
            return parts.increment() == 1 ? Self.file.gated(by: helper, at: .afterHead) : Self.file
        }
        let operation = rig.queue.add(request(rig))
        rig.queue.go()
        await helper.waitForArrival()
        // Only once the end has been noticed, so that somebody still fetches then.
        #expect(
            await eventually {
                rig.server.requests.contains { $0.headers["Range"]?.hasPrefix("bytes=500000-") == true }
            })
        helper.open()
        _ = try? await operation.response()
        try Self.expectWhole(operation, rig)
    }

    @Test(arguments: TransportKind.allCases)
    func `What was there of all parts when a download was cancelled is not fetched again`(kind: TransportKind)
        async throws
    {
        let rig = try Self.rig(kind)
        let cut: Int64 = 300_000
        Self.serveAtOnce(rig, Self.file.stalling(after: cut))
        let operation = await startStalling(rig, after: cut)
        operation.cancel()
        await rig.queue.waitUntilEmpty()
        #expect(operation.metrics?.bytesReceived == cut * 4)
        #expect(rig.folder.contents == ["a.nqk.part", "a.nqk.part.info"])
        rig.server.forgetRequests()
        // By one exchange after the other.
        rig.queue.splitting = nil
        rig.server.serve("/a", Self.file)
        let next = await rig.run(request(rig))
        try Self.expectWhole(next, rig)
        let ranges = rig.server.requests.compactMap { $0.headers["Range"] }
        #expect(ranges.count == 4 && ranges.first == "bytes=\(cut)-524287")
        #expect(rig.recorder.summaries.last?.bytesReceived == Self.size - 4 * cut)
        #expect(next.progress.download == .init(transferred: Self.size, expected: Self.size))
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `Parts of a file that has changed are never mixed with it`(kind: TransportKind, isMeanwhile: Bool) async throws
    {
        let rig = try Self.rig(kind) {
            $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.milliseconds(1)))
        }
        let new = ScriptedResponse.generated(size: Self.size, seed: 2).acceptingRanges(etag: "\"2\"")
        let isChanged = Guarded(false)
        let cut: Int64 = 300_000
        rig.server.serve("/a") { _ in
            isChanged.withLock { $0 }
                ? new : isMeanwhile ? Self.file.stalling(after: cut) : Self.file.dropping(after: cut)
        }
        let operation = rig.queue.add(request(rig))
        rig.queue.go()
        if isMeanwhile {
            #expect(await eventually { operation.progress.download.transferred == cut * 4 })
            isChanged.withLock { $0 = true }
            operation.pause()
            #expect(await eventually { operation.status == .paused })
            operation.resume()
        } else {
            isChanged.withLock { $0 = true }
        }
        _ = try? await operation.response()
        #expect(operation.error == nil)
        let isOld = try Self.content.matches(contentsOf: rig.folder.file("a"))
        let isNew = try GeneratedContent(size: Self.size, seed: 2).matches(contentsOf: rig.folder.file("a"))
        #expect(isOld || isNew)
        #expect(rig.folder.contents == ["a"])
    }

    @Test(arguments: TransportKind.allCases)
    func `A part that has lost its end is not taken for what its sidecar says`(kind: TransportKind) async throws {
        let rig = try Self.rig(kind)
        Self.serveAtOnce(rig, Self.file.stalling(after: 300_000))
        let operation = await startStalling(rig, after: 300_000)
        operation.cancel()
        await rig.queue.waitUntilEmpty()
        #expect(truncate(rig.folder.file("a.nqk.part").path(percentEncoded: false), 1_100_000) == 0)
        rig.server.serve("/a", Self.file)
        try Self.expectWhole(await rig.run(request(rig)), rig)
        #expect(rig.recorder.summaries.last?.bytesReceived == Self.size - 600_000 - (1_100_000 - (1 << 20)))
    }

    @Test(arguments: TransportKind.allCases)
    func `A link that serves once serves the download's own exchanges by its redirect`(kind: TransportKind) async throws
    {
        let rig = try Self.rig(kind, slots: 1)
        let tickets = Guarded<Set<String>>([])
        let count = Counter()
        rig.server.serve("/a") { _ in
            let ticket = "\(count.increment())"
            tickets.withLock { _ = $0.insert(ticket) }
            return .redirect(to: "/b?\(ticket)")
        }
        rig.server.serve("/b") { request in
            let isFresh = tickets.withLock { $0.remove(request.query ?? "") != nil }
            return isFresh ? Self.file.stalling(after: 300_000) : .status(403)
        }
        rig.queue.maxConcurrentRequestCount = 4
        let operation = await startStalling(rig, after: 300_000)
        operation.cancel()
        await rig.queue.waitUntilEmpty()
        rig.server.serve("/b") { request in
            tickets.withLock { $0.remove(request.query ?? "") != nil } ? Self.file : .status(403)
        }
        rig.queue.maxConcurrentRequestCount = 1
        try Self.expectWhole(await rig.run(request(rig)), rig)
    }

    @Test(arguments: TransportKind.allCases)
    func `A pause stops all parts, and they go on where they were`(kind: TransportKind) async throws {
        let rig = try Self.rig(kind)
        let cut: Int64 = 300_000
        let isStalling = Guarded(true)
        rig.server.serve("/a") { _ in isStalling.withLock { $0 } ? Self.file.stalling(after: cut) : Self.file }
        let operation = await startStalling(rig, after: cut)
        rig.queue.pauseAll()
        #expect(await eventually { operation.status == .paused })
        await rig.server.wait { $0.concurrentRequests == 0 }
        #expect(rig.server.requests.count == 4)
        isStalling.withLock { $0 = false }
        rig.queue.resumeAll()
        _ = try? await operation.response()
        try Self.expectWhole(operation, rig)
        #expect(rig.server.requests.dropFirst(4).allSatisfy { $0.headers["Range"] != nil })
    }

    @Test(arguments: TransportKind.allCases)
    func `A checksum is that of the whole file, whoever has brought it`(kind: TransportKind) async throws {
        // SHA-256 takes its time in a debug build.
        let size: Int64 = 256 << 10
        let content = ScriptedResponse.generated(size: size, seed: 1).acceptingRanges(etag: "\"1\"")
        let rig = try Self.rig(kind)
        for name in ["good", "bad"] { Self.serve(rig, name, content, untilThereAre: 4) }
        rig.server.serve("/whole", content)
        func mismatch(_ name: String, maxParts: Int) async -> ContentMismatch? {
            var bad = request(rig, name)
            bad.splitting = .init(maxParts: maxParts, minPartSize: 16 << 10)
            bad.expectedChecksum = .sha256(String(repeating: "0", count: 64))
            let error = await rig.run(bad).error
            #expect(error?.code == .contentMismatch)
            return error?.underlying as? ContentMismatch
        }
        let whole = await mismatch("whole", maxParts: 1)
        let split = await mismatch("bad", maxParts: 4)
        #expect(whole != nil && whole == split)
        guard case .checksum(_, let digits) = whole else { return }
        var good = request(rig, "good")
        good.expectedChecksum = .sha256(digits)
        good.splitting = .init(maxParts: 4, minPartSize: 16 << 10)
        good.expectedDownloadSize = size
        #expect(await rig.run(good).error == nil)
        #expect(try GeneratedContent(size: size, seed: 1).matches(contentsOf: rig.folder.file("good")))
        #expect(rig.folder.contents == ["good"])
    }

    @Test(
        .enabled(if: SmallDisk.isAvailable, "only root may mount a small file system"),
        arguments: TransportKind.allCases)
    func `A full disk is one clear error, and what found room stays`(kind: TransportKind) async throws {
        let disk = try SmallDisk(megabytes: 2)
        defer { disk.remove() }
        let rig = try Self.rig(kind)
        let content = GeneratedContent(size: 4 << 20, seed: 1)
        let file = ScriptedResponse.generated(size: content.size, seed: 1).acceptingRanges(etag: "\"1\"")
        Self.serveAtOnce(rig, file)
        let operation = await rig.run(
            NetworkRequest(rig.server.url("/a"), destination: .file(disk.folder.file("a"))))
        #expect(operation.error?.code == .fileSystem)
        #expect((operation.error?.underlying as? POSIXError)?.code == .ENOSPC)
        #expect(rig.recorder.summaries[0].counts == .init(failed: 1))
        await rig.queue.waitUntilEmpty()
        try disk.grow(megabytes: 10)
        rig.server.serve("/a", file)
        let next = await rig.run(NetworkRequest(rig.server.url("/a"), destination: .file(disk.folder.file("a"))))
        #expect(next.error == nil)
        #expect(try content.matches(contentsOf: disk.folder.file("a")))
        #expect((rig.recorder.summaries.last?.bytesReceived ?? .max) < content.size)
    }

    @Test(arguments: TransportKind.allCases)
    func `A request queue lists and counts no parts, and waits for them`(kind: TransportKind) async throws {
        let rig = try LiveRig.requestQueue(kind) {
            $0.maxConcurrentRequestCount = 4
            $0.splitting = Self.rule
        }
        let gate = Gate()
        rig.server.serve("/a") { _ in Self.file.gated(by: gate, at: .afterHead) }
        let request = NetworkRequest(rig.server.url("/a"), destination: .file(rig.folder.file("a")))
        let operation = rig.queue.add(request)
        await gate.waitForArrival(count: 4)
        #expect(rig.queue.requestCount == 1 && rig.queue.requests == [operation])
        rig.queue.cancelWaiting()
        gate.open()
        await rig.queue.waitUntilEmpty()
        #expect(operation.error == nil && rig.queue.requestCount == 0)
        #expect(try Self.content.matches(contentsOf: rig.folder.file("a")))
    }

    @Test(arguments: TransportKind.allCases)
    func `Nothing of a download that is split is kept after its end`(kind: TransportKind) async throws {
        let rig = try Self.rig(kind)
        // It keeps what it is told of.
        rig.queue.delegate = nil
        rig.server.serve("/a") { _ in Self.file.stalling(after: 200_000) }
        rig.server.serve("/b", Self.file)
        weak var cancelled: RequestOperation?
        weak var finished: RequestOperation?
        do {
            let first = rig.queue.add(request(rig))
            rig.queue.go()
            #expect(await eventually { first.progress.download.transferred == 800_000 })
            first.cancel()
            let second = rig.queue.add(request(rig, "b"))
            _ = try? await second.response()
            cancelled = first
            finished = second
        }
        await rig.queue.waitUntilEmpty()
        #expect(await eventually { cancelled == nil && finished == nil })
        #expect(openDescriptors(of: rig.folder.file("a.nqk.part")) == 0)
    }

    @Test(arguments: 0..<4)
    func `Downloads that are split, cancelled, paused and broken off at random end with one version or none`(seed: Int)
        async throws
    {
        let rig = try Self.rig(.allCases[seed % TransportKind.allCases.count], slots: 6) {
            $0.retryPolicy = RetryPolicy(maxRetries: 8, backoff: .constant(.milliseconds(1)))
        }
        let random = Guarded(SplitMix64(seed: UInt64(seed)))
        func number(_ range: Range<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }
        rig.server.serve("/a") { _ in
            let kind = random.withLock { Int.random(in: 0..<10, using: &$0) }
            let cut = random.withLock { Int64.random(in: 0..<Self.size, using: &$0) }
            return switch kind {
            case 0: .status(503)
            case 1: .hangUp
            case 2, 3, 4: Self.file.dropping(after: cut)
            case 5: .generated(size: Self.size, seed: 1)
            default: Self.file
            }
        }
        let operations = (0..<12).map { number in
            rig.queue.add(NetworkRequest(rig.server.url("/a"), destination: .file(rig.folder.file("\(number)"))))
        }
        rig.queue.go()
        for operation in operations {
            let threshold = Int64(number(0..<Int(Self.size)))
            _ = await eventually { operation.progress.download.transferred >= threshold || operation.status.isTerminal }
            switch number(0..<3) {
            case 0: operation.cancel()
            case 1:
                operation.pause()
                operation.resume()
            default: break
            }
        }
        await rig.queue.waitUntilEmpty()
        for (number, operation) in operations.enumerated() {
            #expect(operation.status.isTerminal)
            guard operation.status == .finished else { continue }
            #expect(try Self.content.matches(contentsOf: rig.folder.file("\(number)")))
        }
    }
}
