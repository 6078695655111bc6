import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

extension TransportConformanceTests {
    @Test(arguments: TransportKind.allCases)
    func `Response headers keep their order`(kind: TransportKind) async throws {
        let names = (1...26).map { "X-\($0 * 7 % 27)" }
        let fields = names.map { "\($0): value of \($0)\r\n" }.joined()
        let transcript = try await TransportBench(kind).get(
            .raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n"))
        let head = try #require(transcript.head)
        for name in names { #expect(head.headers.values(for: name.lowercased()) == ["value of \(name)"]) }
        kind.expect(unless: .losesResponseHeaderOrder, sometimes: true) {
            #expect(head.headers.map(\.name) == names + ["Content-Length"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Duplicate response headers stay apart`(kind: TransportKind) async throws {
        let transcript = try await TransportBench(kind).get(
            .text("x").header("Set-Cookie", "a=1, 2").header("X-Twice", "1").header("X-Between", "b")
                .header("set-cookie", "c=3").header("X-Twice", "2"))
        let headers = try #require(transcript.head).headers
        #expect(headers["X-Between"] == "b")
        #expect(headers["X-Twice"] == "1, 2")
        kind.expect(unless: .joinsResponseHeaders) {
            #expect(headers.values(for: "Set-Cookie") == ["a=1, 2", "c=3"])
            #expect(headers.values(for: "X-Twice") == ["1", "2"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Cookies of one response stay apart`(kind: TransportKind) async throws {
        let cookies = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2", "c=\"x, y=z\"; Secure"]
        var response = ScriptedResponse.text("x")
        for cookie in cookies { response = response.header("Set-Cookie", cookie) }
        let transcript = try await TransportBench(kind).get(response)
        #expect(try #require(transcript.head).headers.values(for: "Set-Cookie") == cookies)
    }

    /// A value whose every other byte is a space.
    private static let long = String(repeating: "a ", count: 20_000) + "a"

    @Test(
        arguments: TransportKind.allCases,
        [
            ("X-Empty:\r\nX-Blank: \r\n", ["X-Empty": "", "X-Blank": ""]),
            ("X-Folded: a\r\n  b\r\n\tc: d\r\n", ["X-Folded": "a b c: d"]),
            (
                "X-Before: \t  a b\r\nX-Tab:\tb\r\nX-After: c \t \r\n",
                ["X-Before": "a b", "X-Tab": "b", "X-After": "c"]
            ),
            // libcurl hands over at most 16 KiB of a line at a time.
            ("X-Long: \(long)\r\nX-B: c\r\n", ["X-Long": long, "X-B": "c"]),
        ])
    func `A response header may be empty or folded, and white space around its value does not count`(
        kind: TransportKind, fields: (sent: String, values: [String: String])
    ) async throws {
        let transcript = try await TransportBench(kind).get(
            .raw("HTTP/1.1 200 OK\r\n\(fields.sent)Content-Length: 2\r\n\r\nok"))
        #expect(transcript.hasSucceeded)
        let headers = try #require(transcript.head).headers
        for (name, value) in fields.values { #expect(headers.values(for: name) == [value]) }
        #expect(headers.count == fields.values.count + 1)
    }

    #if canImport(Glibc)
        /// Some versions of libcurl would continue a field of another response.
        @Test func `A first header that begins with white space is refused before libcurl reads it`() async throws {
            let transcript = try await TransportBench(.curl).get(
                .raw("HTTP/1.1 200 OK\r\n stray: a\r\nContent-Length: 2\r\n\r\nok"))
            #expect(transcript.error?.code == .badServerResponse)
            #expect("\(String(describing: transcript.error))".contains("begins with white space"))
        }
    #endif

    @Test(arguments: TransportKind.allCases)
    func `A header needs no space behind its colon`(kind: TransportKind) async throws {
        let transcript = try await TransportBench(kind).get(
            .raw("HTTP/1.1 200 OK\r\nX-Tight:a:b\r\nContent-Length:2\r\n\r\nok"))
        #expect(transcript.isComplete)
        kind.expect(unless: .refusesTightHeaders) {
            #expect(transcript.hasSucceeded)
            #expect(transcript.head?.headers["X-Tight"] == "a:b")
            #expect(transcript.text == "ok")
        }
        if kind.has(.refusesTightHeaders) { #expect(transcript.error?.code == .badServerResponse) }
    }

    @Test(arguments: TransportKind.allCases)
    func `A header may be Latin-1`(kind: TransportKind) async throws {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: Andr".utf8) + [0xE9]
        let transcript = try await TransportBench(kind).get(.raw(head + Data("\r\n\r\nok".utf8)))
        #expect(transcript.isComplete)
        kind.expect(unless: .refusesLatin1Headers) {
            #expect(transcript.hasSucceeded)
            #expect(transcript.head?.headers["X-Name"]?.hasPrefix("Andr") == true)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A status line needs no reason phrase`(kind: TransportKind) async throws {
        let transcript = try await TransportBench(kind).get(.raw("HTTP/1.1 299\r\nContent-Length: 2\r\n\r\nok"))
        #expect(transcript.isComplete)
        kind.expect(unless: .refusesEmptyReason) {
            #expect(transcript.hasSucceeded)
            #expect(transcript.head?.statusCode == 299)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A response may have no header at all`(kind: TransportKind) async throws {
        let transcript = try await TransportBench(kind).get(.raw("HTTP/1.1 200 OK\r\n\r\ncontent"))
        #expect(transcript.hasSucceeded)
        #expect(transcript.head?.headers.isEmpty == true)
        #expect(transcript.text == "content")
    }

    @Test(arguments: TransportKind.allCases)
    func `A header of 60 KB arrives whole`(kind: TransportKind) async throws {
        let value = String(repeating: "abc", count: 20_000)
        let transcript = try await TransportBench(kind).get(.text("ok").header("X-Large", value))
        #expect(transcript.hasSucceeded)
        #expect(transcript.head?.headers["X-Large"] == value)
    }

    /// libcurl has limits of its own, which differ by version.
    @Test(arguments: TransportKind.allCases)
    func `Headers of a megabyte neither crash nor hang`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let many = (0..<1000).map { "X-\($0): \(String(repeating: "a", count: 1000))\r\n" }.joined()
        let long = "X-Long: \(String(repeating: "a", count: 200_000))\r\n"
        for fields in [many, long] {
            let transcript = await bench.get(.raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 2\r\n\r\nok"))
            #expect(transcript.isComplete)
            if !transcript.hasSucceeded {
                #expect(transcript.error?.code == .badServerResponse)
                #expect(transcript.head == nil)
            }
        }
        await bench.settle()
    }
}
