import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

extension TransportConformanceTests {
    @Test(arguments: TransportKind.allCases, TransportFault.all)
    func `A faulty response is a clear error`(kind: TransportKind, fault: TransportFault) async throws {
        if fault.isForSome, !TransportKind.forAnyResponse.contains(kind) { return }
        let bench = try TransportBench(kind)
        // On a connection of its own, and on one that has been used before.
        for hasConnection in [false, true] {
            if hasConnection { await bench.settle() }
            let transcript = await bench.get(fault.response)
            #expect(transcript.error?.code == fault.code)
            #expect(transcript.text == fault.content ?? "")
            #expect((transcript.head != nil) == (fault.content != nil))
            #expect(transcript.head?.expectedContentLength != -1)
        }
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `Two lengths that differ are an error`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let transcript = await bench.get(.raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nHello"))
        // libcurl up to 8 believes the last one.
        #expect(transcript.error?.code == .networkConnectionLost || transcript.error?.code == .badServerResponse)
        if let head = transcript.head { #expect(head.expectedContentLength == nil) }
    }

    @Test(arguments: TransportKind.allCases)
    func `A connection that is closed while the request is being sent is an error`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .hangUp)
        let transcript = await bench.run(bench.exchange(method: "PUT", body: TestBody(size: 16 << 20)))
        #expect(transcript.error?.code == .networkConnectionLost)
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `A refused connection is an error`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let closed = try ClosedPort()
        let transcript = await bench.run(HTTPExchange(url: try closed.url("/")))
        #expect(transcript.error?.code == .cannotConnectToHost)
        #expect(transcript.head == nil)
        // The server is on 127.0.0.1 only.
        let url = try #require(URL(string: "http://[::1]:\(bench.server.port)/"))
        let code = await bench.run(HTTPExchange(url: url)).error?.code
        kind.expect(unless: .refusesIPv6Literals) { #expect(code == .cannotConnectToHost) }
    }

    @Test(arguments: TransportKind.allCases)
    func `A name that does not exist is an error`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let url = try #require(URL(string: "http://nosuch.invalid/"))
        #expect(await bench.run(HTTPExchange(url: url)).error?.code == .cannotFindHost)
        await bench.settle()
    }

    @Test(
        arguments: TransportKind.allCases,
        [
            ("file:///etc/passwd", .unsupportedURL), ("ftp://127.0.0.1/x", .unsupportedURL),
            ("data:,x", .unsupportedURL), ("gopher://127.0.0.1/", .unsupportedURL), ("foo:bar", .unsupportedURL),
            ("ws://127.0.0.1/", .unsupportedURL), ("http:///path", .badURL), ("http:path", .badURL),
            ("/relative", .badURL), ("https://", .badURL),
        ] as [(String, URLError.Code)])
    func `A URL without a host or with a scheme other than http and https is refused`(
        kind: TransportKind, refused: (url: String, code: URLError.Code)
    ) async throws {
        let bench = try TransportBench(kind)
        let url = try #require(URL(string: refused.url))
        #expect(await bench.run(HTTPExchange(url: url)).error?.code == refused.code)
        // Also on a handle that has been connected before.
        await bench.settle()
        #expect(await bench.run(HTTPExchange(url: url)).error?.code == refused.code)
    }

    @Test(arguments: TransportKind.allCases)
    func `Requests go through the configured proxy`(kind: TransportKind) async throws {
        let proxy = try LoopbackServer()
        proxy.serve("/", .text("from the proxy"))
        var configuration = TransportConfiguration.patient
        configuration.proxy = proxy.url
        let bench = try TransportBench(kind, configuration)
        bench.server.serve("/", .text("direct"))
        let transcript = await bench.get()
        kind.expect(unless: .ignoresProxySetting) {
            #expect(transcript.text == "from the proxy")
            #expect(proxy.requests.first?.target == bench.server.url.absoluteString)
        }
    }
}
