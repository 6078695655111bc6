import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

extension TransportConformanceTests {
    @Test(arguments: TransportKind.allCases, [0, 1, 4096, 300_000] as [Int64])
    func `Content arrives whole, however its end is marked`(kind: TransportKind, size: Int64) async throws {
        let bench = try TransportBench(kind)
        let content = ScriptedResponse.generated(size: size)
        for response in [content, content.chunked(size: 7000), content.untilClose()] {
            let transcript = await bench.get(response)
            #expect(transcript.hasSucceeded)
            #expect(Array(transcript.body) == GeneratedContent(size: size).bytes(in: 0..<size))
        }
        #expect(bench.server.connectionCount == 1)
    }

    @Test(arguments: TransportKind.forAnyResponse)
    func `Trailers are no headers and no content`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        for _ in 0..<2 {
            let transcript = await bench.get(
                .text("Hello").chunked(size: 2, trailers: ["X-Trailer": "1", "HTTP/X": "2"]))
            #expect(transcript.hasSucceeded)
            #expect(transcript.head?.headers["X-Trailer"] == nil)
            #expect(transcript.text == "Hello")
        }
        #expect(bench.server.connectionCount == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `Bytes behind the declared length are not content`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let transcript = await bench.get(.text("Hello, world").declaring(length: 5))
        #expect(transcript.hasSucceeded)
        #expect(transcript.text == "Hello")
        await bench.settle()
    }

    /// As applications send it beside the server that frames for them: curl and browsers read it.
    @Test(arguments: TransportKind.allCases)
    func `Two equal fields for chunks count as one`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let field = "Transfer-Encoding: chunked\r\n"
        let transcript = await bench.get(.raw("HTTP/1.1 200 OK\r\n\(field)\(field)\r\n5\r\nHello\r\n0\r\n\r\n"))
        #expect(transcript.hasSucceeded && transcript.text == "Hello")
    }

    @Test(arguments: TransportKind.allCases)
    func `A transfer coding overrules a length`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let transcript = await bench.get(.text("Hello").chunked().declaring(length: 3))
        #expect(transcript.hasSucceeded)
        #expect(transcript.text == "Hello")
        #expect(transcript.head?.expectedContentLength == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func `Encoded content is delivered as it came over the wire`(kind: TransportKind) async throws {
        // `printf Hello | gzip`
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA/NIzcnJBwCCidH3BQAAAA=="))
        let bench = try TransportBench(kind)
        let transcript = await bench.get(.data(gzip).header("Content-Encoding", "gzip"))
        #expect(transcript.isComplete)
        #expect(transcript.head?.headers["Content-Encoding"] == "gzip")
        #expect(bench.server.requests.first?.headers["Accept-Encoding"]?.contains("gzip") != true)
        kind.expect(unless: .decodesContent) {
            #expect(transcript.hasSucceeded)
            #expect(transcript.body == gzip)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Large content arrives whole`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let content = GeneratedContent(size: 16 << 20, seed: 3)
        bench.server.serve("/", .generated(size: content.size, seed: content.seed))
        let verifier = Guarded(content.verifier())
        let recorder = EventRecorder(onBody: { bytes in
            verifier.withLock { $0.update(bytes) }
            return .proceed
        })
        let transcript = await bench.run(bench.exchange(), recorder)
        #expect(transcript.hasSucceeded)
        #expect(transcript.bodyLength == content.size)
        #expect(verifier.withLock { $0.isComplete })
    }
}
