import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResumeOverTheWireTests {
    private static let size: Int64 = 300_000
    private static let cut: Int64 = 200_000
    private static let old = ScriptedResponse.generated(size: size, seed: 1)
    private static let new = ScriptedResponse.generated(size: size, seed: 2)

    /// A change of a file on its server between two attempts.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: ScriptedResponse
        let after: ScriptedResponse
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let laterDate = "Sun, 06 Nov 1994 08:49:38 GMT"

    /// What a server sends that does not know If-Range and gives whatever part it is asked for.
    private static func blindPart(_ name: String?, _ value: String = "") -> ScriptedResponse {
        let rest = GeneratedContent(size: size, seed: 2).bytes(in: cut..<size)
        var response = ScriptedResponse.data(Data(rest), status: 206)
            .header("Content-Range", "bytes \(cut)-\(size - 1)/\(size)")
        if let name { response = response.header(name, value) }
        return response
    }

    private static let changes: [Change] = [
        Change(
            testDescription: "another strong tag", before: old.acceptingRanges(etag: "\"1\""),
            after: new.acceptingRanges(etag: "\"2\"")),
        Change(
            testDescription: "the same weak tag", before: old.acceptingRanges(etag: "W/\"1\""),
            after: new.acceptingRanges(etag: "W/\"1\"")),
        Change(testDescription: "no tag", before: old.acceptingRanges(), after: new.acceptingRanges()),
        Change(
            testDescription: "another date", before: old.acceptingRanges(lastModified: date),
            after: new.acceptingRanges(lastModified: laterDate)),
        Change(
            testDescription: "a tag in place of a date", before: old.acceptingRanges(lastModified: date),
            after: new.acceptingRanges(etag: "\"2\"", lastModified: date)),
        Change(
            testDescription: "a blind server with another tag", before: old.acceptingRanges(etag: "\"1\""),
            after: blindPart("ETag", "\"2\"")),
        Change(
            testDescription: "a blind server with another date", before: old.acceptingRanges(lastModified: date),
            after: blindPart("Last-Modified", laterDate)),
        Change(
            testDescription: "a blind server without a tag", before: old.acceptingRanges(etag: "\"1\""),
            after: blindPart(nil)),
        Change(
            testDescription: "a server that has stopped giving parts", before: old.acceptingRanges(etag: "\"1\""),
            after: new),
    ]

    @Test(arguments: TransportKind.allCases, changes)
    func `A file that has changed on its server is never mixed with its part`(kind: TransportKind, change: Change)
        async throws
    {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", change.before.dropping(after: Self.cut))
        #expect(await rig.get("/a", to: .file(rig.folder.file("a"))).status == .failed)
        let whole = Self.new
        rig.server.serve("/a") { $0.headers["Range"] == nil ? whole : change.after }
        let operation = await rig.get("/a", to: .file(rig.folder.file("a")))
        #expect(operation.error == nil)
        #expect(try GeneratedContent(size: Self.size, seed: 2).matches(contentsOf: rig.folder.file("a")))
        #expect(rig.folder.contents == ["a"])
    }

    @Test(arguments: TransportKind.allCases)
    func `A retry goes on where the connection broke, again and again`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) {
            $0.retryPolicy = RetryPolicy(maxRetries: 5, backoff: .constant(.milliseconds(1)))
        }
        let part = Self.old.acceptingRanges(etag: "\"1\"").dropping(after: 80_000)
        rig.server.serve("/a", part)
        let operation = await rig.get("/a", to: .file(rig.folder.file("a")))
        #expect(operation.error == nil && operation.attempts == 4)
        #expect(operation.responseHead?.statusCode == 206)
        #expect(try GeneratedContent(size: Self.size, seed: 1).matches(contentsOf: rig.folder.file("a")))
        #expect(rig.folder.contents == ["a"])
        #expect(
            rig.server.requests.map { $0.headers["Range"] } == [
                nil, "bytes=80000-", "bytes=160000-", "bytes=240000-",
            ])
        #expect(rig.recorder.summaries[0].bytesReceived == Self.size)
    }

    @Test(arguments: TransportKind.allCases)
    func `A part that is whole already is recognized by the 416`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let file = Self.old.acceptingRanges(etag: "\"1\"")
        // Chunks without an end: all bytes come, and nothing says that they are all.
        rig.server.serve("/a", file.chunked().dropping(after: Self.size))
        #expect(await rig.get("/a", to: .file(rig.folder.file("a"))).status == .failed)
        rig.server.serve("/a", file)
        let operation = await rig.get("/a", to: .file(rig.folder.file("a")))
        #expect(operation.error == nil && operation.responseHead?.statusCode == 416)
        #expect(try GeneratedContent(size: Self.size, seed: 1).matches(contentsOf: rig.folder.file("a")))
        #expect(rig.server.requests.count == 2 && rig.folder.contents == ["a"])
    }

    @Test(arguments: TransportKind.allCases)
    func `A redirect leads to the rest, too`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .redirect(to: "/b"))
        rig.server.serve("/b", Self.old.acceptingRanges(etag: "\"1\"").dropping(after: Self.cut))
        #expect(await rig.get("/a", to: .file(rig.folder.file("a"))).status == .failed)
        rig.server.serve("/b", Self.old.acceptingRanges(etag: "\"1\""))
        let operation = await rig.get("/a", to: .file(rig.folder.file("a")))
        #expect(operation.metrics?.bytesReceived == Self.size - Self.cut)
        #expect(try GeneratedContent(size: Self.size, seed: 1).matches(contentsOf: rig.folder.file("a")))
    }
}
