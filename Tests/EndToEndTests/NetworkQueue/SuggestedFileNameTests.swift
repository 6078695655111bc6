import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// `usesSuggestedFileName`: what the response calls its content.
@Suite(.timeLimit(.minutes(10)))
struct SuggestedFileNameTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func request(
        _ rig: LiveRig<NetworkQueue>, _ path: String = "/get", onConflict: Destination.ConflictPolicy = .fail,
        configure: (inout NetworkRequest) -> Void = { _ in }
    ) -> NetworkRequest {
        var request = NetworkRequest(rig.server.url(path))
        request.destination = .file(rig.folder.file("get"), onConflict: onConflict)
        request.usesSuggestedFileName = true
        configure(&request)
        return request
    }

    private func response(_ text: String = "content", name: String? = "report.pdf") -> ScriptedResponse {
        let response = ScriptedResponse.text(text).acceptingRanges(lastModified: Self.date)
        return name.map { response.header("Content-Disposition", "attachment; filename=\"\($0)\"") } ?? response
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `A file has the name that its server suggests, in the folder of its destination`(
        kind: TransportKind, isSized: Bool
    ) async throws {
        let rig = try LiveRig(kind) { $0.showsAccurateProgress = isSized }
        for (sent, name) in [("report.pdf", "report.pdf"), ("../../out.txt", "out.txt"), (nil, "get")] {
            rig.server.serve("/get", response(name: sent))
            let operation = await rig.run(request(rig))
            #expect(operation.status == .finished && operation.fileURL == rig.folder.file(name))
            #expect(try rig.folder.read(name) == "content")
        }
        #expect(rig.folder.contents == ["get", "out.txt", "report.pdf"])
    }

    // RFC 6266, section 4.3; issue 38, "filename= in ISO-8859-1".
    @Test(arguments: TransportKind.allCases)
    func `A suggested name may be in ISO-8859-1`(kind: TransportKind) async throws {
        if kind.has(.refusesLatin1Headers) { return }
        let rig = try LiveRig(kind) { $0.showsAccurateProgress = false }
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Disposition: attachment; filename=\"caf"
        rig.server.serve("/get", .raw(Data(head.utf8) + [0xE9] + Data(".pdf\"\r\n\r\ncontent".utf8)))
        let operation = await rig.run(request(rig))
        #expect(operation.fileURL == rig.folder.file("café.pdf") && rig.folder.contents == ["café.pdf"])
    }

    @Test func `A suggested name is used only if that is wanted`() async throws {
        let rig = try LiveRig(.default)
        rig.server.serve("/get", response())
        let operation = await rig.run(request(rig) { $0.usesSuggestedFileName = false })
        #expect(operation.fileURL == rig.folder.file("get") && rig.folder.contents == ["get"])
    }

    @Test(arguments: [true, false])
    func `A suggested name conflicts with the file that has it, not with one of the destination's name`(isLarge: Bool)
        async throws
    {
        let rig = try LiveRig(.default)
        // Small ones are made when they are whole.
        let text = String(repeating: "x", count: isLarge ? 100_000 : 10)
        rig.server.serve("/get", response(text))
        try rig.folder.write("mine", to: "get")
        try rig.folder.write("mine, too", to: "report.pdf")
        let refused = await rig.run(request(rig))
        #expect((refused.error?.underlying as? POSIXError)?.code == .EEXIST)
        #expect(refused.error?.description.contains("report.pdf") == true)
        let second = await rig.run(request(rig, onConflict: .rename))
        #expect(second.fileURL == rig.folder.file("report-2.pdf"))
        let third = await rig.run(request(rig, onConflict: .overwrite))
        #expect(third.fileURL == rig.folder.file("report.pdf"))
        #expect(rig.folder.contents == ["get", "report-2.pdf", "report.pdf"])
        #expect(try rig.folder.read("get") == "mine")
        #expect(try rig.folder.read("report.pdf") == text)
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `A file with a suggested name is kept if it is current`(kind: TransportKind, isSized: Bool) async throws {
        let rig = try LiveRig(kind) { $0.showsAccurateProgress = isSized }
        // More than has been sent before the response is given up.
        let size: Int64 = 16 << 20
        rig.server.serve(
            "/get",
            .generated(size: size).acceptingRanges(lastModified: Self.date)
                .header("Content-Disposition", "attachment; filename=large"))
        let first = await rig.run(request(rig, onConflict: .keepIfCurrent(otherwise: .fail)))
        #expect(first.fileURL == rig.folder.file("large"))
        rig.queue.reset()
        let operation = rig.queue.add(request(rig, onConflict: .keepIfCurrent(otherwise: .fail)))
        let summary = await rig.queue.run()
        #expect(operation.status == .finished && operation.fileURL == rig.folder.file("large"))
        #expect(operation.attempts == (isSized ? 0 : 1))
        #expect(operation.metrics?.bytesReceived == 0 && summary.bytesReceived == 0)
        #expect(rig.queue.progress.download.transferred == size)
        #expect(rig.folder.contents == ["large"])

        let file = try FileHandle(forWritingTo: rig.folder.file("large"))
        try file.truncate(atOffset: 5)
        try file.close()
        rig.queue.reset()
        let differing = await rig.run(request(rig, onConflict: .keepIfCurrent(otherwise: .fail)))
        #expect((differing.error?.underlying as? POSIXError)?.code == .EEXIST)
        let replaced = await rig.run(request(rig, onConflict: .keepIfCurrent(otherwise: .overwrite)))
        #expect(replaced.status == .finished && replaced.metrics?.bytesReceived == size)
        #expect(rig.folder.contents == ["large"])
    }

    @Test func `A file with a suggested name is checked if a checksum is expected`() async throws {
        let rig = try LiveRig(.default) { $0.showsAccurateProgress = false }
        rig.server.serve("/get", response("abc"))
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        try rig.folder.write("xyz", to: "report.pdf")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 784_111_777)],
            ofItemAtPath: rig.folder.file("report.pdf").path)
        let operation = await rig.run(
            request(rig, onConflict: .keepIfCurrent(otherwise: .overwrite)) { $0.expectedChecksum = .sha256(digest) })
        #expect(operation.status == .finished)
        #expect(try rig.folder.read("report.pdf") == "abc")
    }

    @Test(arguments: [true, false], [Destination.StalePolicy.fail, .rename])
    func `A file with the expected checksum is kept, whether the server suggests its name or not`(
        isSized: Bool, policy: Destination.StalePolicy
    ) async throws {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        for name in ["report.pdf", nil] {
            let rig = try LiveRig(.default) { $0.showsAccurateProgress = isSized }
            rig.server.serve("/get", response("abc", name: name))
            let file = name ?? "get"
            try rig.folder.write("abc", to: file)
            let operation = await rig.run(
                request(rig, onConflict: .keepIfCurrent(otherwise: policy)) { $0.expectedChecksum = .sha256(digest) })
            #expect(try operation.result?.get().wasKept == true && operation.fileURL == rig.folder.file(file))
            // The name comes with a head, and only that of a HEAD comes without the content.
            #expect(rig.server.requests.map(\.method) == [isSized ? "HEAD" : "GET"])
            #expect(rig.folder.contents == [file])
        }
    }

    /// A process was killed while another one finished the same file.
    @Test(arguments: TransportKind.allCases, [Destination.StalePolicy.fail, .rename])
    func `A file with a suggested name is current also beside a part`(
        kind: TransportKind, policy: Destination.StalePolicy
    )
        async throws
    {
        let rig = try LiveRig(kind) { $0.showsAccurateProgress = false }
        let file = ScriptedResponse.generated(size: 200_000, seed: 1).acceptingRanges(lastModified: Self.date)
            .header("Content-Disposition", "attachment; filename=\"whole.bin\"")
        rig.server.serve("/get", file)
        let request = request(rig, onConflict: .keepIfCurrent(otherwise: policy))
        #expect(await rig.run(request).status == .finished)
        let whole = try Data(contentsOf: rig.folder.file("whole.bin"))
        try FileManager.default.moveItem(at: rig.folder.file("whole.bin"), to: rig.folder.file("aside"))
        rig.server.serve("/get", file.dropping(after: 120_000))
        #expect(await rig.run(request).status == .failed)
        #expect(rig.folder.contents == ["aside", "get.nqk.part", "get.nqk.part.info"])
        try FileManager.default.moveItem(at: rig.folder.file("aside"), to: rig.folder.file("whole.bin"))
        rig.server.serve("/get", file)
        let operation = await rig.run(request)
        #expect(try operation.result?.get().wasKept == true && operation.responseHead?.statusCode == 206)
        #expect(rig.folder.contents == ["whole.bin"])
        #expect(try Data(contentsOf: rig.folder.file("whole.bin")) == whole)
    }

    @Test(arguments: TransportKind.allCases)
    func `A download with a suggested name continues a part, which has the destination's own name`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig(kind)
        let size: Int64 = 200_000
        let file = ScriptedResponse.generated(size: size, seed: 1).acceptingRanges(etag: "\"1\"")
            .header("Content-Disposition", "attachment; filename=\"whole.bin\"")
        rig.server.serve("/get", file.dropping(after: 120_000))
        #expect(await rig.run(request(rig)).status == .failed)
        #expect(rig.folder.contents == ["get.nqk.part", "get.nqk.part.info"])
        rig.server.serve("/get", file)
        let operation = await rig.run(request(rig))
        #expect(operation.fileURL == rig.folder.file("whole.bin") && operation.responseHead?.statusCode == 206)
        #expect(operation.metrics?.bytesReceived == size - 120_000)
        #expect(try GeneratedContent(size: size, seed: 1).matches(contentsOf: rig.folder.file("whole.bin")))
        #expect(rig.folder.contents == ["whole.bin"])
    }
}
