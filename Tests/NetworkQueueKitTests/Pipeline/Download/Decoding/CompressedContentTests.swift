import CZlib
import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.enabled(if: czlib_load(), "zlib is not installed"), .timeLimit(.minutes(10)))
struct CompressedContentTests {
    private static let text = CompressedSamples.text
    private static let gzip = CompressedSamples.gzip

    private func request(_ destination: Destination = .memory) -> NetworkRequest {
        var request = NetworkRequest(URL.test("a"))
        request.destination = destination
        request.acceptsCompressed = true
        return request
    }

    private func checksum(_ content: Data) -> NetworkRequest.Checksum {
        var hash = HashAlgorithm.md5.makeHash()
        content.withUnsafeBytes { hash.update($0) }
        return .md5(hash.finish().hexadecimal)
    }

    private func answer(_ body: Data, _ coding: String?) -> ScriptedTransport.Answer {
        var headers: HTTPHeaders = ["Content-Length": "\(body.count)", "ETag": "\"v1\""]
        if let coding { headers["Content-Encoding"] = coding }
        return .respond(status: 200, headers: headers, body: body)
    }

    @Test
    func `Compressed content is asked for only if it is welcome`() async throws {
        let rig = QueueRig.started { $0.maxConcurrentRequestCount = 0 }
        func sent(_ request: NetworkRequest) async -> [String] {
            await rig.start(request).1.exchange.headers.values(for: "Accept-Encoding")
        }
        var part = request()
        part.headers["Range"] = "bytes=0-9"
        for plain in [rig.request(), .head(.test("a")), .post(.test("a"), body: .data(Self.text)), part] {
            #expect(await sent(plain) == ["identity"])
        }
        #expect(await sent(request()) == ["gzip, deflate"])
        for var own in [request(), NetworkRequest(.test("a"))] {
            own.headers["accept-encoding"] = "gzip"
            #expect(await sent(own) == ["gzip"])
        }
    }

    @Test(arguments: [(false, "identity"), (true, "gzip, deflate")])
    func `A redirect is followed with the same codings, and one that the delegate has made anew with none`(
        _ isWelcome: Bool, _ codings: String
    ) async throws {
        for isReplaced in [false, true] {
            let rig = QueueRig(redirect: { isReplaced ? URLRequest(url: .test("b")) : $0 })
            var request = NetworkRequest(URL.test("a"))
            request.acceptsCompressed = isWelcome
            rig.queue.add(request)
            rig.queue.go()
            await rig.transport.exchange(0).answer(.status(302, ["Location": "/b"]))
            let followed = await rig.transport.exchange(1).exchange
            #expect(followed.headers.values(for: "Accept-Encoding") == [isReplaced ? "identity" : codings])
        }
    }

    @Test(
        arguments: [
            ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", CompressedSamples.zlib),
            ("deflate", CompressedSamples.deflate), ("identity", text), (nil, text),
        ] as [(String?, Data)])
    func `Gzip, zlib and bare deflate are decoded, and uncompressed content passes through`(
        _ coding: String?, _ body: Data
    ) async throws {
        let rig = QueueRig.started()
        let operation = await rig.run(request(), answers: [answer(body, coding)])
        #expect(operation.error == nil && operation.data == Self.text)
        // Progress counts what came over the wire.
        #expect(rig.queue.progress.download.transferred == Int64(body.count))
        #expect(operation.metrics?.bytesReceived == Int64(body.count))
    }

    @Test(
        arguments: [
            ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", CompressedSamples.zlib),
            ("deflate", CompressedSamples.deflate),
        ] as [(String, Data)])
    func `Content that is compressed unasked is decoded to memory, and elsewhere stays as it was sent`(
        _ coding: String, _ body: Data
    ) async throws {
        let rig = QueueRig.started()
        var request = NetworkRequest(URL.test("a"))
        request.expectedChecksum = checksum(Self.text)
        let operation = await rig.run(request, answers: [answer(body, coding)])
        #expect(operation.error == nil && operation.data == Self.text)
        #expect(operation.metrics?.bytesReceived == Int64(body.count))
        let sink = RecordingSink()
        request.expectedChecksum = checksum(body)
        request.maxDecodedSize = 10
        for destination in [Destination.file(rig.folder.file("file")), .sink(sink), .discard] {
            request.destination = destination
            #expect(await rig.run(request, answers: [answer(body, coding)]).error == nil)
        }
        #expect(try Data(contentsOf: rig.folder.file("file")) == body && sink.content == body)
    }

    @Test
    func `Content that is compressed unasked is decoded within the limit`() async throws {
        let rig = QueueRig.started()
        for (limit, code) in [(Int64(1 << 20), nil), (1 << 20 - 1, NetworkError.Code.responseTooLarge)] {
            var request = NetworkRequest(URL.test("a"))
            request.maxDecodedSize = limit
            let operation = await rig.run(request, answers: [answer(CompressedSamples.gzippedZeros, "gzip")])
            #expect(operation.error?.code == code && operation.data?.count == (code == nil ? 1 << 20 : nil))
        }
        let damaged = await rig.run(NetworkRequest(URL.test("a")), answers: [answer(Self.gzip.dropLast(), "gzip")])
        #expect(damaged.error?.code == .badServerResponse && damaged.data == nil)
    }

    @Test
    func `A sink gets what was decoded before the content turned out to be damaged`() async throws {
        let rig = QueueRig.started()
        let sink = RecordingSink()
        let damaged = await rig.run(request(.sink(sink)), answers: [answer(Self.gzip.dropLast(), "gzip")])
        #expect(damaged.error?.code == .badServerResponse && sink.content == Self.text)
        #expect(sink.events.values.last == "abandon")
    }

    @Test
    func `A part, another coding, and what the request's own field asks for stay as they were sent`() async throws {
        let rig = QueueRig.started()
        for coding in ["br", "gzip, gzip"] {
            #expect(
                await rig.run(NetworkRequest(URL.test("a")), answers: [answer(Self.text, coding)]).data == Self.text)
        }
        for plain in [NetworkRequest(URL.test("a")), request()] {
            var own = plain
            for codings in ["gzip, br", ContentCoding.accepted] {
                own.headers["Accept-Encoding"] = codings
                #expect(await rig.run(own, answers: [answer(Self.gzip, "gzip")]).data == Self.gzip)
                #expect(await rig.run(own, answers: [answer(Self.text, "br")]).data == Self.text)
            }
            var part = plain
            part.headers["Range"] = "bytes=5-9"
            let answer = ScriptedTransport.Answer.respond(
                status: 206, headers: ["Content-Encoding": "gzip", "Content-Range": "bytes 5-9/60"],
                body: Self.gzip[5..<10])
            #expect(await rig.run(part, answers: [answer]).data == Self.gzip[5..<10])
        }
    }

    @Test
    func `A stream may be cut anywhere, and have several members and zeros behind them`() throws {
        for (data, isGzip) in [
            (Self.gzip, true), (CompressedSamples.zlib, false), (CompressedSamples.deflate, false),
            (Self.gzip + Self.gzip, true), (Self.gzip + Self.gzip + Data(count: 9), true),
        ] {
            let copies = data.count > 2 * Self.gzip.count - 1 ? 2 : 1
            let expected = (0..<copies).reduce(into: Data()) { result, _ in result += Self.text }
            for cut in 0...data.count {
                let inflater = Inflater(isGzip: isGzip)
                var decoded = Data()
                for piece in [data.prefix(cut), data.dropFirst(cut)] {
                    try piece.withUnsafeBytes { bytes in
                        try inflater.decode(bytes) { decoded.append(contentsOf: $0) }
                    }
                }
                #expect(decoded == expected && inflater.isComplete, "cut at \(cut)")
            }
            let inflater = Inflater(isGzip: isGzip)
            var decoded = Data()
            for byte in data {
                try withUnsafeBytes(of: byte) { try inflater.decode($0) { decoded.append(contentsOf: $0) } }
            }
            #expect(decoded == expected && inflater.isComplete)
        }
    }

    @Test
    func `A damaged stream and an unknown coding fail and leave nothing, and empty content is no damage`()
        async throws
    {
        let rig = QueueRig.started()
        #expect(await rig.run(request(), answers: [answer(Data(), "gzip")]).data == Data())
        var damaged = Self.gzip
        damaged[damaged.count - 6] ^= 1
        let bodies: [(Data, String)] = [
            (Self.gzip.dropLast(), "gzip"), (Self.gzip.prefix(5), "gzip"), (damaged, "gzip"), (Self.text, "gzip"),
            (Self.gzip + Data("garbage".utf8), "gzip"), (CompressedSamples.zlib.dropLast(), "deflate"),
            (CompressedSamples.deflate.dropLast(3), "deflate"), (Data([0x78]), "deflate"), (Self.text, "br"),
            (Self.gzip, "gzip, gzip"),
        ]
        for (index, (body, coding)) in bodies.enumerated() {
            for destination in [Destination.memory, .file(rig.folder.file("file"))] {
                let operation = await rig.run(request(destination), answers: [answer(body, coding)])
                #expect(operation.error?.code == .badServerResponse, "\(index)")
                #expect(operation.data == nil && rig.folder.contents == [])
            }
        }
    }

    @Test
    func `Content that decodes to more than the limit fails, wherever it goes`() async throws {
        let rig = QueueRig.started()
        let bomb = (0..<64).reduce(into: Data()) { data, _ in data += CompressedSamples.gzippedZeros }
        for destination in [Destination.memory, .discard, .file(rig.folder.file("file"))] {
            for (limit, code) in [(Int64(64 << 20), nil), (64 << 20 - 1, NetworkError.Code.responseTooLarge)] {
                var request = request(destination)
                request.maxDecodedSize = code == nil ? limit : (64 << 20) - 1
                let operation = await rig.run(request, answers: [answer(bomb, "gzip")])
                #expect(operation.error?.code == code)
                if code == nil, case .file = destination {
                    #expect(try Data(contentsOf: rig.folder.file("file")).count == 64 << 20)
                    try FileManager.default.removeItem(at: rig.folder.file("file"))
                }
                #expect(rig.folder.contents == [])
            }
        }
    }

    @Test func `Content in memory fails beyond 256 MiB, even if the request allows more`() async throws {
        let rig = QueueRig.started()
        var request = request()
        request.maxDecodedSize = 1 << 30
        // A mebibyte each.
        for (count, code) in [(256, nil), (257, NetworkError.Code.responseTooLarge)] {
            let content = (0..<count).reduce(into: Data()) { data, _ in data += CompressedSamples.gzippedZeros }
            let operation = await rig.run(request, answers: [answer(content, "gzip")])
            #expect(operation.error?.code == code && operation.data?.count == (code == nil ? count << 20 : nil))
        }
    }

    @Test
    func `A compressed download leaves no part, asks for none, and has the checksum of the decoded content`()
        async throws
    {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request("a"))
        #expect(rig.folder.contents == QueueRig.partFiles())
        var request = request(.file(rig.folder.file("file")))
        let (operation, exchange) = await rig.start(request)
        #expect(!exchange.exchange.headers.contains("Range"))
        exchange.receive(headers: [
            "Content-Encoding": "gzip", "ETag": "\"v1\"", "Content-Length": "\(Self.gzip.count)",
        ])
        exchange.receive(Self.gzip.prefix(20))
        exchange.end(.networkConnectionLost)
        await rig.end(of: operation)
        #expect(rig.folder.contents == [])
        request.expectedChecksum = checksum(Self.text)
        #expect(await rig.run(request, answers: [answer(Self.gzip, "gzip")]).error == nil)
        #expect(try Data(contentsOf: rig.folder.file("file")) == Self.text)
    }
}
