import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

extension TransportConformanceTests {
    @Test(arguments: TransportKind.allCases, [204, 205, 304])
    func `Statuses without content end with their head`(kind: TransportKind, status: Int) async throws {
        let bench = try TransportBench(kind)
        for _ in 0..<2 {
            let transcript = await bench.get(.status(status))
            #expect(transcript.hasSucceeded)
            #expect(transcript.head?.statusCode == status)
            #expect(transcript.bodyLength == 0)
        }
        #expect(bench.server.connectionCount == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `The length in a 304 is not waited for`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let transcript = await bench.get(
            .raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n", closes: false))
        #expect(transcript.hasSucceeded)
        #expect(transcript.head?.statusCode == 304)
        #expect(transcript.head?.expectedContentLength == 500)
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases, [false, true])
    func `Interim responses are skipped, also before a body has been sent`(kind: TransportKind, hasBody: Bool)
        async throws
    {
        let bench = try TransportBench(kind)
        let interims: [ScriptedResponse] = [
            .text("final").interim(100), .text("final").interim(103, headers: ["Link": "</a>", "X-Interim": "1"]),
            .text("final").interim(100).interim(102).interim(103, headers: ["X-Interim": "1"]).interim(103),
        ]
        for response in interims {
            bench.server.serve("/", response)
            let body = hasBody ? TestBody(size: 100_000) : nil
            let transcript = await bench.run(bench.exchange(method: hasBody ? "POST" : "GET", body: body))
            #expect(transcript.hasSucceeded)
            #expect(transcript.head?.statusCode == 200)
            #expect(transcript.head?.headers["X-Interim"] == nil)
            #expect(transcript.text == "final")
        }
    }

    @Test(arguments: TransportKind.allCases, [300, 301, 302, 303, 307, 308])
    func `Redirects are reported, not followed`(kind: TransportKind, status: Int) async throws {
        let bench = try TransportBench(kind)
        let response = ScriptedResponse.text("moved", status: status).header("Location", "/elsewhere")
        for method in ["GET", "POST"] {
            bench.server.serve("/", response)
            let transcript = await bench.run(bench.exchange(method: method))
            #expect(transcript.hasSucceeded)
            #expect(transcript.head?.statusCode == status)
            #expect(transcript.head?.headers["Location"] == "/elsewhere")
            #expect(transcript.head?.url == bench.server.url)
            #expect(transcript.text == "moved")
        }
        #expect(bench.server.requests.count == 2)
    }

    @Test(arguments: TransportKind.allCases, [nil, "http://[bad", "", "//", "mailto:a@b", "?a=%zz#%zz", "http://"])
    func `A redirect to nowhere is a response like any other`(kind: TransportKind, location: String?) async throws {
        let bench = try TransportBench(kind)
        var response = ScriptedResponse.text("moved", status: 302)
        if let location { response = response.header("Location", location) }
        let transcript = await bench.get(response)
        #expect(transcript.hasSucceeded)
        #expect(transcript.head?.statusCode == 302)
        kind.expect(unless: .dropsBodyOfRedirect, sometimes: true) { #expect(transcript.text == "moved") }
        await bench.settle()
    }

    @Test(
        arguments: TransportKind.allCases,
        [
            "Basic realm=\"r\"", "Basic", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", "Bearer", "Negotiate", "",
            "Basic realm=\"a\", Digest realm=\"b\", nonce=\"n\"",
        ])
    func `A 401 or 407 is reported with its challenge and content`(kind: TransportKind, challenge: String) async throws
    {
        let bench = try TransportBench(kind)
        for status in [401, 407] {
            let name = status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
            bench.server.serve("/", .text("who are you?", status: status).header(name, challenge))
            for method in ["GET", "POST"] {
                let body = method == "POST" ? TestBody("content") : nil
                let transcript = await bench.run(bench.exchange(method: method, body: body))
                #expect(transcript.hasSucceeded)
                #expect(transcript.head?.statusCode == status)
                #expect(transcript.head?.headers[name] == challenge)
                #expect(transcript.text == "who are you?")
            }
        }
        #expect(bench.server.requests.count == 4)
    }
}
