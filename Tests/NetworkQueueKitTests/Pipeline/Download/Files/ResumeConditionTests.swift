import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct ResumeConditionTests {
    private static let late = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            [:], ["ETag": "W/\"v1\""], ["ETag": "v1"], ["ETag": "W/\"v1\"", "Last-Modified": late],
            ["Last-Modified": late, "Date": late], ["Last-Modified": "yesterday"],
            ["ETag": "\"v1\"", "Content-Encoding": "gzip"], ["ETag": "\"a\", \"b\""],
        ] as [HTTPHeaders])
    func `nothing is left of a response without a strong validator`(_ headers: HTTPHeaders) async throws {
        let rig = try DownloadRig()
        await rig.interrupt(rig.request(), headers: headers)
        #expect(rig.folder.contents == [])
    }

    @Test
    func `without resume nothing is left, and an old part is not used and goes away`() async throws {
        let rig = try DownloadRig()
        await rig.interrupt(rig.request(resume: false))
        #expect(rig.folder.contents == [])
        await rig.interrupt(rig.request())
        let (operation, exchange) = await rig.start(rig.request(resume: false))
        #expect(!exchange.exchange.headers.contains("Range"))
        exchange.answer(.ok(Data("new".utf8)))
        await rig.end(of: operation)
        #expect(rig.folder.contents == ["file"])
    }

    @Test
    func `a request with a Range or another method is not resumed, and leaves nothing`() async throws {
        let rig = try DownloadRig()
        await rig.interrupt(rig.request())
        var ranged = rig.request()
        ranged.urlRequest.setValue("bytes=1-", forHTTPHeaderField: "Range")
        var posted = rig.request()
        posted.urlRequest.httpMethod = "POST"
        for request in [ranged, posted] {
            let (operation, exchange) = await rig.start(request)
            #expect(!exchange.exchange.headers.contains("If-Range"))
            #expect(exchange.exchange.headers["Range"] == request.urlRequest.value(forHTTPHeaderField: "Range"))
            exchange.receive(headers: ["ETag": "\"v1\""])
            exchange.receive(Data("x".utf8))
            exchange.end(.networkConnectionLost)
            await rig.end(of: operation)
            #expect(rig.folder.contents == [])
        }
    }

    @Test
    func `a part of another URL is not continued`() async throws {
        let rig = try DownloadRig()
        await rig.interrupt(rig.request("one"))
        let (_, exchange) = await rig.start(rig.request("two"))
        #expect(!exchange.exchange.headers.contains("Range"))
    }

    @Test(arguments: [nil, "", "nonsense", "no last line", "no version", "another version", "longer part"])
    func `a sidecar that is damaged, cut or not there makes the download start over`(_ damage: String?) async throws {
        let rig = try DownloadRig()
        await rig.interrupt(rig.request())
        let name = "file.nqk.part.info"
        let text = try rig.folder.read(name)
        switch damage {
        case nil: try FileManager.default.removeItem(at: rig.folder.file(name))
        case "no last line": try rig.folder.write(String(text.dropLast(4)), to: name)
        case "no version": try rig.folder.write(String(text.dropFirst(23)), to: name)
        case "another version": try rig.folder.write(text.replacing("part 1", with: "part 2"), to: name)
        case "longer part": try rig.folder.write("0123456789A", to: "file.nqk.part")
        case let damage?: try rig.folder.write(damage, to: name)
        }
        let (operation, exchange) = await rig.start(rig.request())
        #expect(!exchange.exchange.headers.contains("Range"))
        exchange.answer(.ok(Data("new".utf8)))
        await rig.end(of: operation)
        #expect(try rig.folder.read("file") == "new")
        #expect(rig.folder.contents == ["file"])
    }

    @Test(arguments: [0, 3])
    func `after a crash of the system only what was synchronized is continued`(synced: Int) async throws {
        let rig = try DownloadRig()
        await rig.interrupt(rig.request())
        var sidecar = try #require(Sidecar(rig.folder.read("file.nqk.part.info")))
        sidecar.boot = "the one before"
        sidecar.synced = Int64(synced)
        try rig.folder.write(sidecar.text, to: "file.nqk.part.info")
        let (operation, exchange) = await rig.start(rig.request())
        #expect(exchange.exchange.headers["Range"] == (synced > 0 ? "bytes=3-" : nil))
        exchange.answer(
            synced == 0
                ? .ok(Data("0123456789".utf8))
                : .respond(
                    status: 206, headers: ["Content-Range": "bytes 3-9/10", "ETag": "\"v1\""],
                    body: Data("3456789".utf8)))
        await rig.end(of: operation)
        #expect(try rig.folder.read("file") == "0123456789")
    }

    @Test
    func `of two downloads of one destination the second has a file of its own, and neither gets the other's bytes`()
        async throws
    {
        let rig = try DownloadRig()
        let (first, one) = await rig.start(rig.request("one", onConflict: .overwrite))
        one.receive(headers: ["ETag": "\"v1\""])
        one.receive(Data("one".utf8))
        let (second, two) = await rig.start(rig.request("one", onConflict: .overwrite))
        #expect(!two.exchange.headers.contains("Range"))
        two.receive(headers: ["ETag": "\"v1\""])
        two.receive(Data("two".utf8))
        #expect(rig.folder.contents.count == 3)
        one.receive(Data("one".utf8))
        one.end()
        await rig.end(of: first)
        #expect(try rig.folder.read("file") == "oneone")
        two.receive(Data("two".utf8))
        two.end()
        await rig.end(of: second)
        #expect(try rig.folder.read("file") == "twotwo")
        #expect(rig.folder.contents == ["file"])
    }

    @Test
    func `a second download of a destination that fails leaves the first one's part alone`() async throws {
        let rig = try DownloadRig()
        let (_, one) = await rig.start(rig.request())
        one.receive(headers: ["ETag": "\"v1\""])
        one.receive(Data("one".utf8))
        await rig.interrupt(rig.request())
        #expect(rig.folder.contents == DownloadRig.partFiles())
        #expect(try rig.folder.read("file.nqk.part") == "one")
    }

    @Test
    func `a part that was not asked for is refused, a 304 leaves the destination as it is`() async throws {
        let rig = try DownloadRig()
        let part = ScriptedTransport.Answer.respond(
            status: 206, headers: ["Content-Range": "bytes 0-1/10", "Content-Length": "2"], body: Data("01".utf8))
        #expect(await rig.run(rig.request(), answers: [part]).error?.code == .badServerResponse)
        #expect(rig.folder.contents == [])
        try rig.folder.write("old", to: "file")
        let operation = await rig.run(rig.request(onConflict: .overwrite), answers: [.status(304)])
        #expect(operation.error == nil && operation.fileURL == nil)
        #expect(try rig.folder.read("file") == "old")
    }
}
