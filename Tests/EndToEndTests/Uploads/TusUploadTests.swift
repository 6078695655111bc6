import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Uploads by tus over real connections.
@Suite(.timeLimit(.minutes(10)))
struct TusUploadTests {
    private static let kib: Int64 = 1 << 10

    /// A rig whose queue sends pieces of 8 KiB.
    private func makeRig(_ kind: TransportKind, retries: Int = 2) throws -> LiveRig<NetworkQueue> {
        let rig = try LiveRig(kind) {
            $0.retryPolicy = RetryPolicy(maxRetries: retries, backoff: .constant(.zero))
            $0.requestDefaults.uploadPieceLength = 8 * Self.kib
        }
        rig.queue.stateFolder = rig.folder.file("state")
        return rig
    }

    private func bytes(_ count: Int64, seed: UInt64 = 3) -> Data {
        Data(GeneratedContent(size: count, seed: seed).bytes(in: 0..<count))
    }

    private func checksum(_ content: Data, _ range: Range<Int64>) -> UInt64 {
        ContentChecksum.of(Data(content[Int(range.lowerBound)..<Int(range.upperBound)]))
    }

    /// Whether the pieces that the server has taken are the file, one after the other.
    private func holds(_ tus: TusServer, _ content: Data) -> Bool {
        tus.current.pieces.allSatisfy {
            $0.checksum == checksum(content, $0.start..<($0.start + $0.length))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A file is sent in pieces, and nothing is left of its state`(kind: TransportKind) async throws {
        let rig = try makeRig(kind)
        let tus = TusServer(rig.server)
        let content = bytes(20 * Self.kib + 5)
        let file = try rig.folder.write(content, to: "a.png")
        let operation = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus, headers: ["X-A": "1"]))
        #expect(operation.error == nil && operation.attempts == 1)
        #expect(
            tus.log == [
                "OPTIONS /files", "POST /files", "PATCH /files/0 0", "PATCH /files/0 8192",
                "PATCH /files/0 16384",
            ])
        #expect(holds(tus, content) && tus.current.offsets["0"] == 20 * Self.kib + 5)
        #expect(tus.current.metadata == "filename YS5wbmc=,filetype aW1hZ2UvcG5n")
        #expect(rig.server.requests.allSatisfy { $0.headers["X-A"] == "1" })
        let patch = try #require(rig.server.requests.last)
        #expect(patch.headers["Content-Type"] == "application/offset+octet-stream")
        #expect(operation.responseHead?.url == rig.server.url("/files/0"))
        #expect(operation.metrics?.bytesSent == 20 * Self.kib + 5)
        #expect(operation.progress.upload.transferred == 20 * Self.kib + 5)
        #expect(try operation.result?.get().data == Data())
        #expect(states(in: rig).isEmpty)
    }

    @Test(arguments: TransportKind.allCases, [0, 1, 8 << 10] as [Int64])
    func `An empty file is created, and one of a whole piece takes one`(kind: TransportKind, size: Int64) async throws {
        let rig = try makeRig(kind)
        let tus = TusServer(rig.server)
        let content = bytes(size)
        let file = try rig.folder.write(content, to: "a")
        let operation = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus))
        #expect(operation.error == nil && holds(tus, content))
        #expect(tus.log == ["OPTIONS /files", "POST /files"] + (size == 0 ? [] : ["PATCH /files/0 0"]))
        #expect(states(in: rig).isEmpty)
    }

    @Test(arguments: TransportKind.allCases, [0, 3, 8] as [Int64])
    func `A cut costs one piece at most, and progress never goes back`(kind: TransportKind, taken: Int64) async throws {
        let rig = try makeRig(kind)
        let tus = TusServer(rig.server) { $0.patchFaults = [1: .cut(after: taken * Self.kib)] }
        let content = bytes(20 * Self.kib)
        let file = try rig.folder.write(content, to: "a")
        let operation = rig.queue.add(.upload(file, to: tus.endpoint, protocol: .tus))
        let own = Task { await operation.progressUpdates.reduce(into: []) { $0.append($1.upload.transferred) } }
        await rig.queue.run()
        #expect(operation.error == nil && operation.attempts == 2 && holds(tus, content))
        #expect(tus.log.count { $0.hasPrefix("POST") } == 1)
        #expect(tus.log.contains("PATCH /files/0 \((8 + taken) * Self.kib)") == (taken < 12))
        #expect(tus.current.pieces.map(\.length).reduce(0, +) == (28 - taken) * Self.kib)
        let ofQueue = rig.recorder.updates.map(\.upload.transferred)
        let ofOperation = await own.value
        #expect(ofQueue == ofQueue.sorted() && ofOperation == ofOperation.sorted())
        #expect(rig.recorder.summaries.first?.bytesSent == 20 * Self.kib)
    }

    @Test(arguments: TransportKind.allCases)
    func `Another queue continues where the first has got to`(kind: TransportKind) async throws {
        let rig = try makeRig(kind, retries: 0)
        let tus = TusServer(rig.server) { $0.patchFaults = [1: .cut(after: 2 * Self.kib)] }
        let content = bytes(20 * Self.kib)
        let file = try rig.folder.write(content, to: "a")
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error?.code == .connectionLost)
        let state = try #require(states(in: rig).first)
        #expect(state.utf8.count == 64)
        #expect(try permissions(of: rig.folder.file("state/" + state)) == 0o600)
        #expect(try permissions(of: rig.folder.file("state")) == 0o700)

        let other = try LiveRig(kind, server: rig.server) { $0.requestDefaults.uploadPieceLength = 8 * Self.kib }
        other.queue.stateFolder = rig.folder.file("state")
        let operation = await other.run(.upload(file, to: tus.endpoint, protocol: .tus))
        #expect(operation.error == nil && holds(tus, content))
        #expect(
            tus.log.suffix(4) == [
                "OPTIONS /files", "HEAD /files/0", "PATCH /files/0 10240", "PATCH /files/0 18432",
            ])
        #expect(operation.progress.upload.transferred == 20 * Self.kib)
        #expect(operation.metrics?.bytesSent == 10 * Self.kib)
        #expect(other.recorder.summaries.first?.bytesSent == 10 * Self.kib)
        #expect(states(in: rig).isEmpty)
    }

    /// The files with the states of unfinished uploads.
    private func states(in rig: LiveRig<NetworkQueue>) -> [String] { (try? rig.folder.files(in: "state")) ?? [] }

    private func permissions(of file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))[.posixPermissions] as? Int
    }

    @Test(arguments: TransportKind.allCases)
    func `An upload that the server has dropped starts over`(kind: TransportKind) async throws {
        let rig = try makeRig(kind, retries: 0)
        let tus = TusServer(rig.server) { $0.patchFaults = [1: .cut(after: 0)] }
        let content = bytes(10 * Self.kib)
        let file = try rig.folder.write(content, to: "a")
        _ = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus))
        tus.expire()
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error == nil)
        // The queue remembers what the server offers.
        #expect(tus.log.suffix(4) == ["HEAD /files/0", "POST /files", "PATCH /files/1 0", "PATCH /files/1 8192"])
        #expect(holds(tus, content))
    }

    @Test(arguments: TransportKind.allCases)
    func `What is sent again after the server has dropped a resumed upload counts as sent`(
        kind: TransportKind
    ) async throws {
        let rig = try makeRig(kind, retries: 0)
        let tus = TusServer(rig.server) { $0.patchFaults = [1: .cut(after: 0), 2: .answer(404)] }
        let file = try rig.folder.write(bytes(10 * Self.kib), to: "a")
        _ = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus))
        let operation = rig.queue.add(.upload(file, to: tus.endpoint, protocol: .tus))
        let own = Task { await operation.progressUpdates.reduce(into: []) { $0.append($1.upload.transferred) } }
        let summary = await rig.queue.run()
        #expect(
            tus.log.suffix(5) == [
                "HEAD /files/0", "PATCH /files/0 8192", "POST /files", "PATCH /files/1 0", "PATCH /files/1 8192",
            ])
        #expect(summary.isSuccess && summary.bytesSent == 10 * Self.kib)
        let shown = await own.value
        #expect(shown == shown.sorted() && shown.last == 10 * Self.kib)
    }

    @Test(arguments: TransportKind.allCases)
    func `An upload that the server refuses to show starts over, but not for ever`(kind: TransportKind) async throws {
        let rig = try makeRig(kind, retries: 9)
        let tus = TusServer(rig.server) {
            $0.patchFaults = [1: .cut(after: 0)]
            $0.headFaults = [0: .answer(403)]
        }
        let content = bytes(10 * Self.kib)
        let file = try rig.folder.write(content, to: "a")
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error == nil && holds(tus, content))
        #expect(
            tus.log.suffix(5) == [
                "PATCH /files/0 8192", "HEAD /files/0", "POST /files", "PATCH /files/1 0", "PATCH /files/1 8192",
            ])
        #expect(states(in: rig).isEmpty)
        tus.change {
            $0.patchFaults = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, .cut(after: 0)) })
            $0.headFaults = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, .answer(403)) })
        }
        let other = try rig.folder.write(content, to: "b")
        #expect(await rig.run(.upload(other, to: tus.endpoint, protocol: .tus)).error?.code == .httpStatus(403))
        #expect(tus.log.count < 30)
    }

    @Test func `An upload whose time is over is not asked for`() async throws {
        let rig = try makeRig(.default, retries: 0)
        let tus = TusServer(rig.server) {
            $0.patchFaults = [1: .cut(after: 0)]
            $0.expires = "Wed, 25 Jun 2014 16:00:00 GMT"
        }
        let file = try rig.folder.write(bytes(10 * Self.kib), to: "a")
        _ = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus))
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error == nil)
        #expect(tus.log.allSatisfy { !$0.hasPrefix("HEAD") })
    }

    @Test(arguments: [404, 410])
    func `A piece that is answered with 404 or 410 starts over, but not for ever`(status: Int) async throws {
        let rig = try makeRig(.default, retries: 0)
        let tus = TusServer(rig.server) { $0.patchFaults = [1: .answer(status)] }
        let content = bytes(10 * Self.kib)
        let file = try rig.folder.write(content, to: "a")
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error == nil && holds(tus, content))
        #expect(tus.log.suffix(3) == ["POST /files", "PATCH /files/1 0", "PATCH /files/1 8192"])
        tus.change { $0.patchFaults = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, .answer(status)) }) }
        let other = try rig.folder.write(content, to: "b")
        #expect(await rig.run(.upload(other, to: tus.endpoint, protocol: .tus)).error?.code == .httpStatus(status))
        #expect(tus.log.count < 20)
    }

    @Test(arguments: [409, 460])
    func `After 409 and 460 the server says where it is`(status: Int) async throws {
        let rig = try makeRig(.default, retries: 0)
        let tus = TusServer(rig.server) {
            $0.patchFaults = [0: .answer(status)]
            $0.extensions = "creation,checksum"
        }
        let content = bytes(3)
        let file = try rig.folder.write(content, to: "a")
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error == nil && holds(tus, content))
        #expect(tus.log.suffix(3) == ["PATCH /files/0 0", "HEAD /files/0", "PATCH /files/0 0"])
        tus.change { $0.patchFaults = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, .answer(status)) }) }
        let other = try rig.folder.write(content, to: "b")
        #expect(await rig.run(.upload(other, to: tus.endpoint, protocol: .tus)).error?.code == .httpStatus(status))
        #expect(tus.log.count < 20)
    }

    @Test func `A lock is waited for like a server that is busy`() async throws {
        let rig = try makeRig(.default, retries: 1)
        let tus = TusServer(rig.server) { $0.patchFaults = [0: .answer(423)] }
        let file = try rig.folder.write(bytes(3), to: "a")
        let operation = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus))
        #expect(operation.error == nil && operation.attempts == 2)
    }

    @Test(arguments: ["8193", "-1", "x", "", "8191999999999999999999999"])
    func `An offset beyond what was sent is a bad response`(offset: String) async throws {
        let rig = try makeRig(.default, retries: 0)
        let tus = TusServer(rig.server) { $0.patchFaults = [0: .claim(offset)] }
        let file = try rig.folder.write(bytes(9 * Self.kib), to: "a")
        let error = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error
        #expect(error?.code == .badServerResponse)
        #expect(error?.description.contains("Upload-Offset") == true)
    }

    @Test func `An offset before what was confirmed is a bad response`() async throws {
        let rig = try makeRig(.default, retries: 1)
        let tus = TusServer(rig.server) {
            $0.patchFaults = [1: .cut(after: 0)]
            $0.headFaults = [0: .claim("8191"), 1: .claim("8191")]
        }
        let file = try rig.folder.write(bytes(9 * Self.kib), to: "a")
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error?.code == .badServerResponse)
    }

    @Test func `A file that has changed is another upload`() async throws {
        let rig = try makeRig(.default, retries: 0)
        let tus = TusServer(rig.server) { $0.patchFaults = [1: .cut(after: 0)] }
        let file = try rig.folder.write(bytes(9 * Self.kib), to: "a")
        _ = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus))
        let content = bytes(10 * Self.kib, seed: 4)
        try rig.folder.write(content, to: "a")
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error == nil)
        #expect(tus.log.suffix(3) == ["POST /files", "PATCH /files/1 0", "PATCH /files/1 8192"])
        #expect(tus.current.pieces.last?.checksum == checksum(content, 8 * Self.kib..<10 * Self.kib))
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `A file that changes meanwhile fails, and the server need not keep its beginning`(
        kind: TransportKind, terminates: Bool
    ) async throws {
        let rig = try makeRig(kind, retries: 0)
        let file = try rig.folder.write(bytes(9 * Self.kib), to: "a")
        let tus = TusServer(rig.server) {
            if !terminates { $0.extensions = "creation" }
            $0.patchFaults = [1: .cut(after: 0)]
        }
        rig.queue.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero))
        rig.queue.monitors = [Changer(file)]
        let operation = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus))
        #expect(operation.error?.code == .bodyUnavailable)
        #expect(tus.log.last?.hasPrefix("DELETE /files/0") == terminates)
        #expect(states(in: rig).isEmpty)
    }

    /// Appends to a file after the first attempt.
    private struct Changer: QueueMonitor {
        let file: URL

        init(_ file: URL) { self.file = file }

        func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {
            guard let handle = try? FileHandle(forWritingTo: file) else { return }
            _ = try? handle.seekToEnd()
            try? handle.write(contentsOf: Data("x".utf8))
        }
    }

    @Test func `Each piece has the checksum that the server offers`() async throws {
        let rig = try makeRig(.default)
        let tus = TusServer(rig.server) { $0.extensions = "creation,checksum" }
        let file = try rig.folder.write(Data("content".utf8), to: "a")
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error == nil)
        #expect(tus.current.checksums == ["sha1 BA8G/XdAkkeNRQd09bowxdp4rMg="])
    }

    @Test func `The URL of the upload is in no log and in no error`() async throws {
        let log = Gathering<String>()
        let rig = try makeRig(.default, retries: 1)
        rig.queue.monitors = [EventLogger { log.add($0) }, Printer(log)]
        let tus = TusServer(rig.server) {
            $0.location = "/files/secret/"
            $0.patchFaults = [1: .cut(after: 0), 2: .answer(500), 3: .answer(500), 4: .answer(500)]
        }
        let file = try rig.folder.write(bytes(9 * Self.kib), to: "a")
        let operation = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus))
        let error = try #require(operation.error)
        #expect(error.code == .httpStatus(500) && error.response?.head.url == tus.endpoint)
        let texts =
            log.values + ["\(error)", "\(operation)", "\(operation.request.record)", error.localizedDescription]
        #expect(texts.allSatisfy { !$0.contains("secret") } && log.values.count > 10)
    }

    /// Writes down all that monitors are given.
    private struct Printer: QueueMonitor {
        let log: Gathering<String>

        init(_ log: Gathering<String>) { self.log = log }

        func attempt(didReceive head: ResponseHead, in context: AttemptContext) {
            log.add("\(head.debugDescription) \(String(describing: context.sentRequest))")
        }

        func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
            log.add("\(String(describing: error)) \(String(describing: context.sentRequest))")
        }
    }

    @Test func `An upload at another origin is refused`() async throws {
        let rig = try makeRig(.default, retries: 0)
        let tus = TusServer(rig.server) { $0.location = "http://localhost:1/files/" }
        let file = try rig.folder.write(Data("x".utf8), to: "a")
        let error = await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error
        #expect(error?.code == .badServerResponse && tus.log.last == "POST /files")
        #expect(states(in: rig).isEmpty)
    }

    @Test func `A state folder that is a link is refused, and one that is open to others is closed`() async throws {
        let rig = try makeRig(.default, retries: 0)
        let tus = TusServer(rig.server)
        let file = try rig.folder.write(Data("x".utf8), to: "a")
        let real = rig.folder.file("real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: rig.folder.file("link"), withDestinationURL: real)
        for link in ["link", "link/"] {
            rig.queue.stateFolder = rig.folder.file(link)
            #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error?.code == .fileSystem)
        }
        #expect(tus.log.isEmpty)
        rig.queue.stateFolder = real
        #expect(await rig.run(.upload(file, to: tus.endpoint, protocol: .tus)).error == nil)
        #expect(try permissions(of: real) == 0o700)
    }

    @Test(arguments: TransportKind.allCases)
    func `A pause goes on with the same upload`(kind: TransportKind) async throws {
        let rig = try makeRig(kind)
        let content = bytes(20 * Self.kib)
        let file = try rig.folder.write(content, to: "a")
        let gate = Gate()
        let tus = TusServer(rig.server) { $0.patchFaults = [1: .hold(gate)] }
        let operation = rig.queue.add(.upload(file, to: tus.endpoint, protocol: .tus))
        rig.queue.go()
        await gate.waitForArrival()
        // The server may have the bytes before the client counts them.
        #expect(await eventually { operation.progress.upload.transferred == 16 * Self.kib })
        operation.pause()
        _ = await rig.queue.waitUntilPaused()
        #expect(operation.progress.upload.transferred == 16 * Self.kib)
        operation.resume()
        await rig.recorder.waitForDrain()
        #expect(operation.error == nil && operation.attempts == 1 && holds(tus, content))
        #expect(tus.log.suffix(3) == ["PATCH /files/0 8192", "HEAD /files/0", "PATCH /files/0 16384"])
    }

    @Test func `Only a file can be sent by tus, and a tus upload has no condition`() async throws {
        let rig = try makeRig(.default)
        var request = NetworkRequest.upload(rig.folder.file("a"), to: rig.server.url("/files"), protocol: .tus)
        request.body = .data(Data("x".utf8))
        #expect(await rig.run(request).error?.code == .unsupportedConfiguration)
        let file = try rig.folder.write(Data("x".utf8), to: "a")
        request = .upload(file, to: rig.server.url("/files"), protocol: .tus)
        request.uploadCondition = .ifMissing
        #expect(await rig.run(request).error?.code == .unsupportedConfiguration)
        #expect(rig.server.requests.isEmpty)
    }
}
