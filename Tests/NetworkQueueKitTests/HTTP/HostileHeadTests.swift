import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Whatever a server sends as a head, reading it ends, soon, and never the process.
@Suite(.timeLimit(.minutes(10)))
struct HostileHeadTests {
    private static let seeds = [
        """
        HTTP/1.1 503 Service Unavailable|Date: Sun, 06 Nov 1994 08:49:37 GMT|Retry-After: Sun, 06 Nov 1994 08:50:37 GMT|\
        Content-Type: text/html; charset="utf-8"|Content-Length: 123, 123
        """,
        """
        HTTP/1.1 401 Unauthorized|WWW-Authenticate: Digest realm="r \\"x\\"", nonce=abc, qop="auth, auth-int", algorithm=SHA-256, \
        stale=TRUE, opaque="", userhash=true|WWW-Authenticate: Negotiate YWJj==, Basic realm="b", charset="UTF-8"
        """,
        """
        HTTP/1.1 302 Found|Location: //user:pass@host.test:8080/a/../b%20c/./d?q=[1]#f|Set-Cookie: a=1; Path=/; Domain=.host.test; \
        Expires=Sunday, 06-Nov-94 08:49:37 GMT; Max-Age=60; Secure; HttpOnly|Set-Cookie: __Host-b="x, y"; Secure; Path=/
        """,
        """
        HTTP/1.1 206 Partial Content|Content-Range: bytes 0-499/1234|ETag: "abc"|Last-Modified: Sun Nov  6 08:49:37 1994|\
        Content-Encoding: gzip|Transfer-Encoding: chunked|Content-Disposition: attachment; filename="x"
        """,
        "HTTP/1.1 103 Early Hints|Link: </a>||HTTP/2 416 |Content-Range: bytes */1234|Retry-After: 120| folded|A :b",
    ].map { Array($0.replacing("|", with: "\r\n").utf8) + Array("\r\n\r\n".utf8) }

    /// What may stand where a parser does not expect it: characters of several bytes or scalars, controls, bytes that
    /// are not UTF-8.
    private static let pieces: [[UInt8]] =
        [
            "\u{E9}", "\u{FFFD}", "\u{1100}\u{1161}", "\0", "\r", "\n", "\r\n", "\t", ",", ";",
            "=", "\"",
        ]
        .map { Array($0.utf8) } + [
            [0xFF], [0xC3], [0xED, 0xA0, 0x80], Array("99999999999999999999".utf8), Array("%2e%".utf8),
        ]

    private func mutated(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = Self.seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...20, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[start] = UInt8.random(in: 0 ... .max, using: &random)
            case 1, 2: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: start)
            case 3: bytes.removeSubrange(start..<min(end, bytes.count - 1))
            case 4: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default:
                let other = Self.seeds.randomElement(using: &random) ?? []
                bytes.insert(contentsOf: other.dropFirst(start % other.count).prefix(40), at: start)
            }
        }
        return bytes
    }

    /// Reads a head in all ways in which the library reads one.
    ///
    /// - Parameter forPeople: whether it is described, too, and made one of Foundation's.
    private func read(_ bytes: [UInt8], forPeople: Bool) throws {
        let url = try #require(URL(string: "https://host.test/a/b?c"))
        let parser = ResponseHeadParser()
        var head: ResponseHead?
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 10).map { $0 + 1 } ?? rest.endIndex
            let isLast = rest[..<end].withUnsafeBytes { parser.append($0) }
            if isLast { head = parser.finish(url: url) }
            rest = rest[end...]
        }
        // What libcurl's own checks would have kept out is read, too.
        let received = head ?? ResponseHead(statusCode: 302, headers: HTTPHeaders(received: bytes), url: url)
        let fault = received.fault(received.headers.framing, storesCookies: true)
        _ = received.expectedContentLength
        _ = RetryAfter.delay(in: received)
        for name in ["Date", "Last-Modified", "Set-Cookie", "a"] {
            guard let value = received.headers[name] else { continue }
            _ = HTTPDate.date(from: value)
            _ = CookieDate.date(from: value.utf8)
            _ = ContentRange(value)
        }
        _ = ContentRange(received.headers["Content-Range"])
        for isProxy in [false, true] {
            if let demand = try? ServerChallenge.strongest(in: received, isProxy: isProxy),
                case .digest(let challenge) = demand.method
            {
                var session = DigestSession(challenge)
                _ = session.authorization(user: "u", password: "p", method: "GET", target: "/", clientNonce: "0")
            }
        }
        let target = CookieTarget(url)
        // A response that is refused sets none.
        for value in fault == nil ? received.headers.values(for: "Set-Cookie") : [] {
            if let cookie = SetCookie(value).flatMap({ target.accept($0) }) { #expect(!cookie.name.isEmpty) }
        }
        _ = Validators(received.headers)
        _ = ContentCoding(received.headers)
        _ = MediaRange("text/*").contains(received.headers["Content-Type"])
        _ = Redirect.target(of: received, for: HTTPExchange(url: url), policy: .standard)
        guard forPeople else { return }
        _ = "\(received.headers) \(received.debugDescription)"
        _ = received.httpURLResponse
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max)])
    func `A hostile head of any kind is read without a trap`(seed: UInt64) throws {
        print("hostile heads: seed \(seed)")
        var random = SplitMix64(seed: seed)
        for number in 0..<Self.kindCount {
            try read(mutated(&random), forPeople: number.isMultiple(of: 16))
        }
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max)])
    func `A hostile head of up to 30 KB is read in time that grows with its length alone`(seed: UInt64) throws {
        print("hostile heads of 30 KB: seed \(seed)")
        var random = SplitMix64(seed: seed)
        let names = [
            "a", "WWW-Authenticate", "Set-Cookie", "Location", "Retry-After", "Content-Range", "Transfer-Encoding",
        ]
        let contents =
            Self.pieces
            + ["a,", "a=b;", "a:", "x", " ", "../", "%2e%2e/", "1,", "\\\"", "b=\"", "[", "@"].map { Array($0.utf8) }
        for name in names {
            for content in contents {
                var bytes = Array("HTTP/1.1 302 Found\r\n\(name): ".utf8)
                // In one field, or in as many as there can be.
                let separator = Bool.random(using: &random) ? [] : Array("\r\n\(name):".utf8)
                while bytes.count < Self.length { bytes += content + separator }
                bytes += Array("\r\n\r\n".utf8)
                let clock = ThreadClock()
                try read(bytes, forPeople: false)
                #expect(clock.elapsed < Self.limit, "\(name), \(content), seed \(seed)")
            }
        }
    }

    private static let kindCount = 2_000
    private static let length = 30_000
    /// Of the processor's time, without the compiler's optimizations: thirty times what is needed. What is quadratic
    /// takes longer.
    private static let limit = Duration.seconds(2)
}
