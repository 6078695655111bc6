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
            [:], ["ETag": "W/\"v1\""], ["ETag": "v1"], ["ETag": "W/\"v1\"", "Last-Modified": late, "Date": late],
            ["Last-Modified": late, "Date": late], ["Last-Modified": "yesterday"], ["ETag": "\"a\", \"b\""],
        ] as [HTTPHeaders])
    func `A response without a strong validator leaves nothing`(_ headers: HTTPHeaders) async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request(), headers: headers)
        #expect(rig.folder.contents == [])
    }

    @Test
    func `A download that does not resume leaves nothing, and removes an old part without using it`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request(resume: false))
        #expect(rig.folder.contents == [])
        await rig.interrupt(rig.request())
        let (operation, exchange) = await rig.start(rig.request(resume: false))
        #expect(!exchange.exchange.headers.contains("Range"))
        exchange.answer(.ok("new"))
        await rig.end(of: operation)
        #expect(rig.folder.contents == ["file"])
    }

    @Test
    func `A request with a Range or another method is not resumed and leaves nothing`() async throws {
        let rig = QueueRig.started()
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
    func `A part of another URL is not continued`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request("one"))
        let (_, exchange) = await rig.start(rig.request("two"))
        #expect(!exchange.exchange.headers.contains("Range"))
    }

    @Test(arguments: [nil, "", "nonsense", "no last line", "no version", "another version", "longer part"])
    func `A sidecar that is damaged, cut or missing makes the download start over`(_ damage: String?) async throws {
        let rig = QueueRig.started()
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
        exchange.answer(.ok("new"))
        await rig.end(of: operation)
        #expect(try rig.folder.read("file") == "new")
        #expect(rig.folder.contents == ["file"])
    }

    @Test(arguments: [0, 3], ["the one before", Sidecar.unknownBoot])
    func `Only synchronized bytes are continued after a crash of the system`(synced: Int, boot: String) async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        var sidecar = try #require(Sidecar(rig.folder.read("file.nqk.part.info")))
        (sidecar.boot, sidecar.synced) = (boot, Int64(synced))
        try rig.folder.write(sidecar.text, to: "file.nqk.part.info")
        let (operation, exchange) = await rig.start(rig.request())
        #expect(exchange.exchange.headers["Range"] == (synced > 0 ? "bytes=3-" : nil))
        exchange.answer(synced == 0 ? .text("0123456789") : .rest("3456789", from: 3))
        await rig.end(of: operation)
        #expect(try rig.folder.read("file") == "0123456789")
    }

    @Test
    func `Two downloads of one destination have files of their own and never mix their bytes`() async throws {
        let rig = QueueRig.started()
        try rig.folder.write("old", to: "file")
        let (first, one) = await rig.start(rig.request("one", onConflict: .overwrite))
        one.receive(headers: ["ETag": "\"v1\""])
        one.receive(Data("one".utf8))
        let (second, two) = await rig.start(rig.request("one", onConflict: .overwrite))
        #expect(!two.exchange.headers.contains("Range"))
        two.receive(headers: ["ETag": "\"v1\""])
        two.receive(Data("two".utf8))
        #expect(rig.folder.contents.count == 4)
        one.receive(Data("one".utf8))
        one.end()
        await rig.end(of: first)
        #expect(try rig.folder.read("file") == "oneone")
        two.receive(Data("two".utf8))
        two.end()
        await rig.end(of: second)
        // What one operation has stored, the other does not replace.
        #expect(second.error?.code == .fileSystem && second.error?.description.contains("nother download") == true)
        #expect(try rig.folder.read("file") == "oneone")
    }

    @Test
    func `A failing second download of a destination leaves the first one's part alone`() async throws {
        let rig = QueueRig.started()
        let (_, one) = await rig.start(rig.request())
        one.receive(headers: ["ETag": "\"v1\""])
        one.receive(Data("one".utf8))
        await rig.interrupt(rig.request())
        #expect(rig.folder.contents == QueueRig.partFiles())
        #expect(try rig.folder.read("file.nqk.part") == "one")
    }

    @Test
    func `A part that was not asked for is refused, wherever the content goes`() async throws {
        let rig = QueueRig.started()
        for status in [200, 206] {
            for var request in [rig.request(), NetworkRequest(.test("a")), NetworkRequest(.test("a"))] {
                if case .memory = request.destination, status == 206 { request.destination = .discard }
                let part = ScriptedTransport.Answer.text(
                    "01", status: status, ["Content-Range": "bytes 0-1/10", "Content-Length": "2"])
                #expect(await rig.run(request, answers: [part]).error?.code == .badServerResponse)
            }
        }
        #expect(rig.folder.contents == [])
    }

    /// A server answers a plain GET so, and it is all there is (ansible #68843). PostgREST numbers rows in the same
    /// field.
    @Test(arguments: [(206, "bytes 0-4/5"), (200, "bytes 0-4/5"), (200, "0-24/357"), (206, "0-24/357")])
    func `A response whose range is all there is, or does not count bytes, is whole`(
        status: Int, range: String
    ) async throws {
        let rig = QueueRig.started()
        let answer = ScriptedTransport.Answer.text("hello", status: status, ["Content-Range": range, "ETag": "\"1\""])
        let operation = await rig.run(rig.request(), answers: [answer])
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "hello")
        #expect(await rig.run(NetworkRequest(.test("a")), answers: [answer]).data == Data("hello".utf8))
    }

    /// The tool reported success where there was no file (httrack #533).
    @Test
    func `A 304 that no condition has asked for is a failure, wherever the content goes`() async throws {
        let rig = QueueRig.started()
        try rig.folder.write("old", to: "file")
        var discarded = NetworkRequest(.test("a"))
        discarded.destination = .discard
        for request in [rig.request(onConflict: .overwrite), NetworkRequest(.test("a")), discarded] {
            let operation = await rig.run(request, answers: [.status(304)])
            #expect(operation.error?.code == .httpStatus(304))
        }
        #expect(try rig.folder.read("file") == "old")
        let conditional = NetworkRequest.get(.test("a"), headers: ["If-None-Match": "\"1\""])
        #expect(await rig.run(conditional, answers: [.status(304)]).error == nil)
        let adapted = QueueRig.started {
            $0.adapters = [
                .changing { $0.setValue("\"1\"", forHTTPHeaderField: "If-None-Match") }
            ]
        }
        #expect(await adapted.run(NetworkRequest(.test("a")), answers: [.status(304)]).error == nil)
    }

    private static let dated: HTTPHeaders = ["Last-Modified": late, "Date": "Sun, 06 Nov 1994 08:50:00 GMT"]

    private static func dated(_ more: HTTPHeaders) -> HTTPHeaders {
        var headers = dated
        for field in more { headers.append(name: field.name, value: field.value) }
        return headers
    }

    @Test(arguments: ["W/\"v1\"", "v1"])
    func `The date decides, as If-Unmodified-Since, beside a tag that is not strong`(tag: String) async throws {
        let rig = QueueRig.started()
        let headers = Self.dated(["ETag": tag])
        _ = await rig.resume(headers: headers, answers: [.rest(headers: headers)])
        let asked = try #require(rig.transport.exchanges.last).exchange.headers
        #expect(asked["If-Unmodified-Since"] == Self.late)
        #expect(asked["Range"] == "bytes=5-" && !asked.contains("If-Range"))
        #expect(try rig.folder.read("file") == "0123456789")

        let changed = await rig.resume(rig.request(to: "b"), headers: headers, answers: [.status(412), .text("new")])
        #expect(changed.error == nil)
        #expect(try rig.folder.read("b") == "new")
        let last = try #require(rig.transport.exchanges.last).exchange
        #expect(!last.headers.contains("If-Unmodified-Since") && !last.headers.contains("Range"))
    }

    /// Each row: what is known of the part, what a 206 says, and whether it is continued. Tornado 6.6.1 keeps its tag
    /// when the file changes, and h2o 2.2.5 ignores `If-Range`.
    @Test(
        arguments: [
            (["ETag": "\"v1\""], ["ETag": "\"v1\""], true),
            (dated(["ETag": "\"v1\""]), dated(["ETag": "\"v1\""]), true),
            (dated(["ETag": "\"v1\""]), ["ETag": "\"v1\""], true),
            (dated(["ETag": "\"v1\""]), dated, true),
            (dated, dated, true),
            (dated, dated(["ETag": "\"v1\""]), false),
            (dated(["ETag": "\"v1\""]), ["ETag": "\"v1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"], false),
            (dated(["ETag": "\"v1\""]), dated(["ETag": "\"v2\""]), false),
            (dated(["ETag": "W/\"v1\""]), dated(["ETag": "W/\"v2\""]), false),
            (dated(["ETag": "W/\"v1\""]), ["ETag": "W/\"v1\""], false),
            (dated(["ETag": "v1"]), dated(["ETag": "v2"]), false),
            (["ETag": "\"v1\"", "Last-Modified": late, "Date": late], dated(["ETag": "\"v1\""]), true),
            (
                ["ETag": "\"v1\"", "Last-Modified": late, "Date": late],
                ["ETag": "\"v1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"], false
            ),
            // Apache sends `.gz` files with `x-gzip`; they are stored as they are sent.
            (["ETag": "\"v1\"", "Content-Encoding": "x-gzip"], ["ETag": "\"v1\"", "Content-Encoding": "gzip"], true),
            (["ETag": "\"v1\"", "Content-Encoding": "identity"], ["ETag": "\"v1\""], true),
            (["ETag": "\"v1\"", "Content-Encoding": "gzip"], ["ETag": "\"v1\""], false),
            (["ETag": "\"v1\""], ["ETag": "\"v1\"", "Content-Encoding": "gzip"], false),
        ] as [(HTTPHeaders, HTTPHeaders, Bool)])
    func `A part is continued only if its coding and all validators that both sides know agree`(
        known: HTTPHeaders, answered: HTTPHeaders, isContinued: Bool
    ) async throws {
        let rig = QueueRig.started()
        let operation = await rig.resume(
            headers: known, answers: [.rest(headers: answered)] + (isContinued ? [] : [.text("whole")]))
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == (isContinued ? "0123456789" : "whole"))
    }

    /// Without a length there is no telling the slice from the whole.
    @Test(arguments: [(200, "56789"), (200, ""), (204, "")])
    func `A slice of content of unknown length that is sent as the whole is never taken for it`(
        status: Int, body: String
    ) async throws {
        let rig = QueueRig.started()
        let (first, exchange) = await rig.start(rig.request())
        exchange.receive(headers: ["ETag": "\"v1\""])
        exchange.receive(Data("01234".utf8))
        exchange.end(.networkConnectionLost)
        await rig.end(of: first)
        let slice = ScriptedTransport.Answer.text(body, status: status, ["ETag": "\"v1\""])
        let operation = await rig.run(rig.request(), answers: [slice, .ok("0123456789")])
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "0123456789")
    }

    @Test(arguments: ["hel", "hello world"])
    func `A 206 in chunks must have the length that its range tells`(body: String) async throws {
        let rig = QueueRig.started()
        let answer = ScriptedTransport.Answer.text(body, status: 206, ["Content-Range": "bytes 0-4/5"])
        for request in [rig.request(), NetworkRequest(.test("a"))] {
            #expect(await rig.run(request, answers: [answer]).error?.code == .badServerResponse)
        }
        #expect(rig.folder.contents == [])
        #expect(await rig.resume(answers: [.rest(body)]).error?.code == .badServerResponse)
        #expect(rig.folder.contents == [])
    }

    /// Answers about the range behind the last byte cannot be relied on, and a HEAD says all that is needed.
    @Test(arguments: [("\"v1\"", "10", true), ("\"v2\"", "10", false), ("\"v1\"", "11", false)])
    func `The HEAD of the same state finishes a part that has all bytes`(
        tag: String, length: String, isWhole: Bool
    ) async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request(), after: "0123456789")
        let transport = ScriptedTransport { exchange in
            exchange.method == "HEAD"
                ? .status(200, ["ETag": tag, "Content-Length": length]) : .ok("replaced")
        }
        let queue = QueueRig(transport, configure: { $0.showsAccurateProgress = true })
        let operation = queue.queue.add(rig.request(onConflict: .keepIfCurrent(otherwise: .fail)))
        await queue.queue.run()
        #expect(operation.error == nil && operation.attempts == (isWhole ? 0 : 1))
        #expect(try rig.folder.read("file") == (isWhole ? "0123456789" : "replaced"))
        if isWhole { #expect(transport.exchanges.count == 1) }
        #expect(rig.folder.contents == ["file"])
    }
}
