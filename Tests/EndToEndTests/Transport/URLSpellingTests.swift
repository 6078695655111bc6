import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What people write, and what servers get to see of it.
@Suite(.timeLimit(.minutes(10)))
struct URLSpellingTests {
    private static let curl = SpawnedServer.program(["/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"])

    @Test func `A spelling makes the URL that is written beside it`() {
        #expect(URLSpelling.all.count >= 60)
        for spelling in URLSpelling.all {
            #expect(URL(webAddress: spelling.text)?.absoluteString == spelling.expected, "\(spelling.text)")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A spelling arrives as the target that a signature was made for`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/*", .text("here"))
        for spelling in URLSpelling.all {
            guard let expected = spelling.expected, let target = spelling.target else { continue }
            let rest = expected.dropFirst("http://".count)
            let url = try #require(
                URL(
                    webAddress:
                        "http://127.0.0.1:\(bench.server.port)\(rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...])"))
            let exchange = HTTPExchange(url: url)
            #expect(exchange.requestTarget == target)
            bench.server.forgetRequests()
            #expect(await bench.run(exchange).hasSucceeded, "\(spelling.text)")
            #expect(bench.server.requests.map(\.target) == [target], "\(spelling.text)")
        }
    }

    /// What Foundation's own parsers have made, dot segments included.
    @Test(arguments: TransportKind.allCases)
    func `A URL from Foundation arrives as the target that a signature was made for`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/*", .text("here"))
        for path in [
            "", "?a", "?", "#a", "/", "/a/../b", "/a/..", "/../a", "/%2e%2E/a", "/a/%2e/", "/a?b/../c", "/.a",
            "/a/./?#/..", "//a/..//b",
            "/%2F%c3?%2f", "/a b", "/[1]", "/%zz", "/ä?ö", "/a;b=c,d!$&'()*+:@?/?'",
        ] {
            let url = try #require(URL(string: "http://127.0.0.1:\(bench.server.port)\(path)"))
            let exchange = HTTPExchange(url: url)
            bench.server.forgetRequests()
            #expect(await bench.run(exchange).hasSucceeded, "\(path)")
            #expect(bench.server.requests.map(\.target) == [exchange.requestTarget], "\(path)")
        }
    }

    @Test(.enabled(if: curl != nil, "curl is not installed"), arguments: URLSpelling.all)
    func `A spelling is sent as curl sends it, but for the exceptions written beside it`(spelling: URLSpelling) throws {
        let server = try LoopbackServer()
        server.serve("/*", .text(""))
        let status = try SpawnedProgram.run([
            "/usr/bin/env", "-i", "LC_ALL=C.UTF-8", Self.curl ?? "", "-q", "-s", "-g", "-m", "10", "-o", "/dev/null",
            "--connect-to", "::127.0.0.1:\(server.port)", spelling.text,
        ])
        let request = server.requests.first
        #expect((status == 0) == (request != nil))
        let isSame = request?.target == spelling.target && request?.headers["Host"]?.lowercased() == spelling.host
        switch spelling.curl {
        case .same: #expect(isSame, "\(request?.target as Any) \(request?.headers["Host"] as Any)")
        case .other(let target, let host, let reason):
            let isKnown =
                request == nil && target == nil
                || request?.target == target ?? spelling.target
                    && request?.headers["Host"]?.lowercased() == host ?? spelling.host
            #expect(isSame || isKnown, "\(reason): \(request?.target as Any) \(request?.headers["Host"] as Any)")
        }
    }
}

extension URLSpelling: CustomTestStringConvertible {
    var testDescription: String { text }
}
