import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// `.keepIfCurrent`: what is there already and is what the server has.
@Suite(.timeLimit(.minutes(10)))
struct KeepIfCurrentTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let moment = Date(timeIntervalSince1970: 784_111_777)
    private static let text = "what the server has"
    /// The SHA-256 of the text.
    private static let digest = "af71485ec89cc62027a00b16e8ddedac4456b3fce54d301f6978bc56b6dd1df2"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func request(
        _ rig: LiveRig<NetworkQueue>, otherwise: Destination.StalePolicy = .fail,
        configure: (inout NetworkRequest) -> Void = { _ in }
    ) -> NetworkRequest {
        var request = NetworkRequest(rig.server.url("/a"))
        request.destination = .file(folder.file("a"), onConflict: .keepIfCurrent(otherwise: otherwise))
        configure(&request)
        return request
    }

    private func rig(_ kind: TransportKind, isSized: Bool, date: String? = Self.date) throws -> LiveRig<NetworkQueue> {
        let rig = try LiveRig(kind) { $0.showsAccurateProgress = isSized }
        rig.server.serve("/a", .text(Self.text).acceptingRanges(lastModified: date))
        return rig
    }

    private func write(_ text: String = Self.text, modified: Date = Self.moment) throws {
        try folder.write(text, to: "a")
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: folder.file("a").path)
    }

    private func methods(_ rig: LiveRig<NetworkQueue>) -> [String] { rig.server.requests.map(\.method) }

    @Test(arguments: TransportKind.allCases) func `A kept file is told as kept, also behind a processor`(
        kind: TransportKind
    ) async throws {
        let rig = try rig(kind, isSized: false)
        try write()
        let operation = await rig.run(request(rig) { $0.processors = [.processor { response, _ in response }] })
        #expect(try operation.result?.get().wasKept == true)
    }

    @Test func `A file that is to be kept unasked costs no request, whatever it is`() async throws {
        let rig = try rig(.default, isSized: true)
        try write("other")
        let kept = await rig.run(
            request(rig) {
                $0.keepsFileUnasked = true
                $0.expectedDownloadSize = 5
            })
        #expect(try kept.result?.get().wasKept == true && methods(rig).isEmpty)
        #expect(try folder.read("a") == "other")
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `A file that is fetched gets the date of its content and is kept the next time`(
        kind: TransportKind, isSized: Bool
    ) async throws {
        let rig = try rig(kind, isSized: isSized)
        let first = await rig.run(request(rig))
        #expect(first.status == .finished && first.fileURL == folder.file("a"))
        let values = try folder.file("a").resourceValues(forKeys: [.contentModificationDateKey])
        #expect(values.contentModificationDate == Self.moment)
        #expect(try folder.read("a") == Self.text)

        let before = methods(rig).count
        // A batch of its own, with sizes.
        rig.queue.reset()
        let second = rig.queue.add(request(rig))
        let summary = await rig.queue.run()
        #expect(second.status == .finished && second.fileURL == folder.file("a"))
        #expect(methods(rig)[before...] == (isSized ? ["HEAD"] : ["GET"]))
        #expect(second.attempts == (isSized ? 0 : 1))
        #expect(try second.result?.get().wasKept == true && first.result?.get().wasKept == false)
        #expect(second.responseHead?.statusCode == (isSized ? 200 : 304))
        #expect(summary.isSuccess)
        #expect(summary.bytesReceived == 0)
        #expect(second.metrics?.bytesReceived == 0)
        #expect(folder.contents == ["a"])
    }

    @Test(arguments: [true, false])
    func `The bytes of a kept file count as already transferred`(isSized: Bool) async throws {
        let rig = try rig(.default, isSized: isSized)
        try write()
        let operation = await rig.run(request(rig))
        #expect(operation.status == .finished)
        #expect(rig.queue.progress.download.transferred == Int64(Self.text.utf8.count))
        #expect(rig.queue.progress.fractionCompleted == 1)
    }

    /// What shows that a file is current.
    enum Proof: CaseIterable {
        case response, head, checksum, none
    }

    @Test(arguments: Proof.allCases)
    func `A part beside a file goes if something shows that the file is current`(proof: Proof) async throws {
        let rig = try rig(.default, isSized: proof == .head)
        try write()
        for suffix in ["", ".info"] { try folder.write("wh", to: "a.nqk.part" + suffix) }
        let operation = await rig.run(
            request(rig) {
                if proof == .checksum { $0.expectedChecksum = .sha256(Self.digest) }
                $0.keepsFileUnasked = proof == .none
            })
        #expect(try operation.result?.get().wasKept == true)
        #expect(folder.contents == (proof == .none ? ["a", "a.nqk.part", "a.nqk.part.info"] : ["a"]))
    }

    /// What makes a file another one than the server's.
    enum Difference: CaseIterable {
        case size, date, noDate
    }

    @Test(arguments: [true, false], Difference.allCases)
    func `A file that differs stays and fails the request`(isSized: Bool, difference: Difference) async throws {
        // Without a HEAD the server compares the date alone.
        if !isSized, difference == .size { return }
        let rig = try rig(.default, isSized: isSized, date: difference == .noDate ? nil : Self.date)
        let old = difference == .size ? "old" : String(Self.text.reversed())
        try write(old, modified: difference == .date ? Self.moment + 1 : Self.moment)
        let operation = await rig.run(request(rig))
        #expect((operation.error?.underlying as? POSIXError)?.code == .EEXIST)
        #expect(operation.error?.description.contains("not what the server has") == true)
        #expect(try folder.read("a") == old && folder.contents == ["a"])
        // A HEAD that tells another date is believed; where it says less the response decides.
        if isSized { #expect(methods(rig) == (difference == .date ? ["HEAD"] : ["HEAD", "GET"])) }
    }

    @Test(arguments: [true, false], [Destination.StalePolicy.overwrite, .rename])
    func `A file that differs is replaced or gets a neighbor`(isSized: Bool, policy: Destination.StalePolicy)
        async throws
    {
        let rig = try rig(.default, isSized: isSized)
        try write("old", modified: Self.moment - 60)
        let operation = await rig.run(request(rig, otherwise: policy))
        let name = policy == .overwrite ? "a" : "a-2"
        #expect(operation.fileURL == folder.file(name))
        #expect(try folder.read(name) == Self.text)
        if policy == .rename { #expect(try folder.read("a") == "old") }
    }

    @Test(arguments: [true, false])
    func `Only a file with the expected checksum is kept`(isSized: Bool) async throws {
        let rig = try rig(.default, isSized: isSized)
        try write(String(Self.text.reversed()))
        let failing = await rig.run(request(rig) { $0.expectedChecksum = .sha256(Self.digest) })
        #expect((failing.error?.underlying as? POSIXError)?.code == .EEXIST)
        #expect(!methods(rig).contains("GET"))

        let replacing = await rig.run(
            request(rig, otherwise: .overwrite) { $0.expectedChecksum = .sha256(Self.digest) })
        #expect(replacing.status == .finished && replacing.attempts == 1)
        #expect(try folder.read("a") == Self.text)

        let before = methods(rig).count
        // A batch of its own, for which sizes would be asked.
        rig.queue.reset()
        let kept = await rig.run(request(rig) { $0.expectedChecksum = .sha256(Self.digest) })
        #expect(kept.status == .finished && kept.fileURL == folder.file("a"))
        #expect(methods(rig)[before...] == [] && kept.attempts == 0)
        #expect(try kept.result?.get().wasKept == true)
    }

    @Test func `A GET asks if HEAD is refused`() async throws {
        let rig = try LiveRig(.default) { $0.showsAccurateProgress = true }
        rig.server.serve(
            "/a", .text(Self.text).acceptingRanges(lastModified: Self.date).refusingHEAD(status: 404))
        try write()
        let operation = await rig.run(request(rig))
        #expect(operation.status == .finished && operation.responseHead?.statusCode == 304)
    }

    /// What HEAD says worse than GET: spring-cloud-gateway #1210 (length 0), micro-httpd (501), granian (neither length
    /// nor date).
    @Test(
        arguments: [
            .status(200, headers: ["Content-Length": "0", "Last-Modified": date]),
            .status(200, headers: ["Content-Length": "20", "Last-Modified": date]),
            .status(200, headers: ["Content-Length": "19"]), .status(501), .status(200),
        ] as [ScriptedResponse], [true, false])
    func `A HEAD that is worse than the GET does not cost the file`(head: ScriptedResponse, answersConditions: Bool)
        async throws
    {
        let rig = try LiveRig(.default) { $0.showsAccurateProgress = true }
        let date = Self.date
        rig.server.serve("/a") { request in
            if request.method == "HEAD" { return head }
            if answersConditions, request.headers["If-Modified-Since"] == date { return .status(304) }
            return .text(Self.text).header("Last-Modified", date)
        }
        try write()
        let operation = await rig.run(request(rig))
        #expect(operation.status == .finished && operation.metrics?.bytesReceived == 0)
        #expect(try operation.result?.get().wasKept == true)
    }

    /// curl, wget, wget2 and aria2c read these.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
    ])
    func `The date may be written as common servers write it`(date: String) async throws {
        let rig = try rig(.default, isSized: false, date: date)
        _ = await rig.run(request(rig))
        let operation = await rig.run(request(rig))
        #expect(try operation.result?.get().wasKept == true)
    }

    /// FAT keeps even seconds alone, and other file systems move early and late dates to their first or last one.
    @Test(
        arguments: [
            (date, moment - 1, true), (date, moment - 2, false), (date, moment + 1, false),
            ("Thu, 01 Jan 1970 00:00:01 GMT", Date(timeIntervalSince1970: 315_532_800), true),
            ("Sat, 01 Jan 2050 00:00:00 GMT", Date(timeIntervalSince1970: 2_147_483_647), true),
            ("Sat, 01 Jan 2050 00:00:00 GMT", Date(timeIntervalSince1970: 2_147_483_646), false),
        ])
    func `The date is compared only as exactly as a file system keeps it`(date: String, kept: Date, isCurrent: Bool)
        async throws
    {
        let rig = try rig(.default, isSized: true, date: date)
        try write(modified: kept)
        let operation = await rig.run(request(rig))
        #expect((operation.status == .finished) == isCurrent)
    }

    @Test func `A file that was changed here is not kept even if the server has nothing newer`() async throws {
        let rig = try LiveRig(.default) { $0.showsAccurateProgress = false }
        // As Apache answers: the date is not later than the file's.
        rig.server.serve("/a") { request in
            request.headers["If-Modified-Since"] != nil
                ? .status(304, headers: ["Last-Modified": Self.date])
                : .text(Self.text).header("Last-Modified", Self.date)
        }
        try write("changed", modified: Self.moment + 3600)
        let operation = await rig.run(request(rig))
        #expect((operation.error?.underlying as? POSIXError)?.code == .EEXIST)
        #expect(methods(rig) == ["GET", "GET"])
        try write("changed", modified: Self.moment + 3600)
        let replacing = await rig.run(request(rig, otherwise: .overwrite))
        #expect(replacing.status == .finished)
        #expect(try folder.read("a") == Self.text)
    }

    @Test func `A symbolic link is not followed and is no file to keep`() async throws {
        let rig = try rig(.default, isSized: true)
        try folder.write(Self.text, to: "b")
        try FileManager.default.setAttributes([.modificationDate: Self.moment], ofItemAtPath: folder.file("b").path)
        try FileManager.default.createSymbolicLink(at: folder.file("a"), withDestinationURL: folder.file("b"))
        let operation = await rig.run(request(rig))
        #expect((operation.error?.underlying as? POSIXError)?.code == .EEXIST)
    }

    @Test func `A processor that fails does not remove a kept file`() async throws {
        struct Refusal: Error {}
        let rig = try rig(.default, isSized: true)
        try write()
        let operation = await rig.run(
            request(rig) { $0.processors = [.processor { _, _ in throw Refusal() }] })
        #expect(operation.error?.code == .processing)
        #expect(try folder.read("a") == Self.text)
    }

    @Test func `A file that was cut off is continued, and a whole one is kept`() async throws {
        let rig = try LiveRig(.default)
        let whole = ScriptedResponse.generated(size: 200_000).acceptingRanges(etag: "\"1\"", lastModified: Self.date)
        rig.server.serve("/a", sequence: [whole.dropping(after: 90_000), whole])
        let first = await rig.run(request(rig))
        #expect(first.status == .failed && folder.contents.contains("a.nqk.part"))
        let second = await rig.run(request(rig))
        #expect(second.status == .finished && second.responseHead?.statusCode == 206)
        let third = await rig.run(request(rig))
        #expect(third.status == .finished && third.responseHead?.statusCode == 304 && folder.contents == ["a"])
    }
}
