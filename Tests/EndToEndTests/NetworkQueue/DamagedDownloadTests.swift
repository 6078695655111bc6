import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Downloads whose server, or a cache in front of it, has a damaged copy, or breaks every ranged response.
@Suite(.timeLimit(.minutes(10)))
struct DamagedDownloadTests {
    private static let text = "all of the content"

    /// Serves a cut copy under the tag of the whole `count` times; a HEAD describes the whole.
    private func serveCut(_ rig: LiveRig<NetworkQueue>, _ count: Int, isChunked: Bool) {
        let gets = SplittingTests.Counter()
        rig.server.serve("/a") { request in
            let isCut = request.method == "GET" && gets.increment() <= count
            let response = ScriptedResponse.text(isCut ? String(Self.text.dropLast(4)) : Self.text)
                .header("ETag", "\"1\"")
            return isChunked && request.method == "GET" ? response.chunked() : response
        }
    }

    @Test(
        arguments: [Destination.ConflictPolicy.fail, .overwrite, .keepIfCurrent(otherwise: .fail)], [true, false])
    func `Content that is shorter than the HEAD said, under the same tag, is requested once more`(
        policy: Destination.ConflictPolicy, isChunked: Bool
    ) async throws {
        let rig = try LiveRig(.default) { $0.showsAccurateProgress = true }
        serveCut(rig, 1, isChunked: isChunked)
        let operation = await rig.get("/a", to: .file(rig.folder.file("a"), onConflict: policy))
        #expect(operation.error == nil && operation.attempts == 2)
        #expect(try rig.folder.read("a") == Self.text && rig.folder.contents == ["a"])
        let gets = rig.server.requests.filter { $0.method == "GET" }
        #expect(gets.map { $0.headers["Cache-Control"] } == [nil, "no-cache"])
    }

    @Test(arguments: [true, false])
    func `What the second response says is taken, and without a HEAD the first`(isSized: Bool) async throws {
        let rig = try LiveRig(.default) { $0.showsAccurateProgress = isSized }
        serveCut(rig, 2, isChunked: false)
        let operation = await rig.get("/a", to: .file(rig.folder.file("a")))
        #expect(operation.error == nil && operation.attempts == (isSized ? 2 : 1))
        #expect(try rig.folder.read("a") == Self.text.dropLast(4))
    }

    @Test func `Content in memory, or under another tag, may be shorter than the HEAD said`() async throws {
        let rig = try LiveRig(.default) { $0.showsAccurateProgress = true }
        serveCut(rig, 1, isChunked: false)
        #expect(await rig.get("/a").attempts == 1)
        rig.server.serve("/b") { request in
            .text(request.method == "HEAD" ? Self.text : "new").header("ETag", "\"\(request.method)\"")
        }
        rig.queue.reset()
        #expect(await rig.get("/b", to: .file(rig.folder.file("b"))).attempts == 1)
        #expect(try rig.folder.read("b") == "new")
    }

    @Test func `A range that the queue's header fields ask for may be shorter than the HEAD said`() async throws {
        let rig = try LiveRig(.default) {
            $0.showsAccurateProgress = true
            $0.headers["Range"] = "bytes=5-"
        }
        rig.server.serve("/a") { request in
            let response = ScriptedResponse.text(Self.text)
            return request.method == "GET" ? response.acceptingRanges(etag: "\"1\"") : response.header("ETag", "\"1\"")
        }
        #expect(await rig.get("/a", to: .file(rig.folder.file("a"))).error == nil)
        #expect(rig.server.requests.map(\.method) == ["HEAD", "GET"])
        #expect(try rig.folder.read("a") == Self.text.dropFirst(5))
    }

    /// How a server treats a range.
    enum Fault: CaseIterable {
        case afterSome, beforeAll, isRefused

        func response(_ file: ScriptedResponse) -> ScriptedResponse {
            switch self {
            case .afterSome: file.dropping(after: 1000)
            case .beforeAll: file.dropping(after: 0)
            case .isRefused: .status(403)
            }
        }
    }

    @Test(arguments: TransportKind.allCases, Fault.allCases)
    func `A download whose every ranged response breaks succeeds as one that is not split`(
        kind: TransportKind, fault: Fault
    ) async throws {
        let rig = try SplittingTests.rig(kind)
        SplittingTests.serve(rig, untilThereAre: 2) { _ in fault.response(SplittingTests.file) }
        let operation = await rig.get("/a", to: .file(rig.folder.file("a")))
        #expect(operation.error == nil)
        #expect(try SplittingTests.content.matches(contentsOf: rig.folder.file("a")) && rig.folder.contents == ["a"])
        #expect(operation.progress.download.transferred == SplittingTests.size)
    }

    @Test(arguments: TransportKind.allCases)
    func `Ranges that are answered in pieces bring all of a split download`(kind: TransportKind) async throws {
        let rig = try SplittingTests.rig(kind)
        let cap: Int64 = 300_000
        SplittingTests.serve(rig, untilThereAre: 2) { request in
            // The part of the range that the server gives at once.
            let range = request.headers["Range"]?.dropFirst(6).split(separator: "-").compactMap { Int64($0) } ?? []
            let (first, last) = (range[0], min(range[1], range[0] + cap - 1))
            let bytes = Data(SplittingTests.content.bytes(in: first..<last + 1))
            return ScriptedResponse.data(bytes).status(206).header("ETag", "\"1\"")
                .header("Content-Range", "bytes \(first)-\(last)/\(SplittingTests.size)")
        }
        let operation = await rig.get("/a", to: .file(rig.folder.file("a")))
        #expect(operation.error == nil && operation.attempts == 1)
        #expect(try SplittingTests.content.matches(contentsOf: rig.folder.file("a")))
        #expect(operation.metrics?.bytesReceived == SplittingTests.size)
    }
}
