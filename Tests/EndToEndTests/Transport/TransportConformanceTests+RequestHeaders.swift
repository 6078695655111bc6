import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

extension TransportConformanceTests {
    @Test(arguments: TransportKind.allCases)
    func `Request headers arrive in the order given`(kind: TransportKind) async throws {
        let headers = HTTPHeaders((1...26).map { ("X-\($0 * 7 % 27)", "value \($0)") })
        let received = try await received(kind, headers).filter { $0.name.hasPrefix("X-") }
        #expect(Set(received.map(\.name)) == Set(headers.map(\.name)))
        for field in headers { #expect(received.first { $0.name == field.name }?.value == field.value) }
        kind.expect(unless: .losesRequestHeaderOrder, sometimes: true) {
            #expect(received.map(\.name) == headers.map(\.name))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Duplicate request headers stay apart, and one may be empty`(kind: TransportKind) async throws {
        let received = try await received(kind, ["X-A": "1", "X-B": "2", "X-Empty": "", "x-a": "3"])
        #expect(received.values(for: "X-B") == ["2"] && received.values(for: "X-Empty") == [""])
        kind.expect(unless: .joinsRequestHeaders) { #expect(received.values(for: "X-A") == ["1", "3"]) }
    }

    @Test(arguments: TransportKind.allCases)
    func `The user agent is the configuration's unless the request has one`(kind: TransportKind) async throws {
        var configuration = TransportConfiguration.patient
        let byDefault = try await received(kind, [:], configuration: configuration)
        #expect(byDefault.values(for: "User-Agent") == [configuration.userAgent])
        configuration.userAgent = "Configured/1.0"
        let configured = try await received(kind, [:], configuration: configuration)
        #expect(configured.values(for: "User-Agent") == ["Configured/1.0"])
        let own = try await received(kind, ["user-agent": "Own/2.0"], configuration: configuration)
        #expect(own.values(for: "User-Agent") == ["Own/2.0"])
        let besides = try await received(kind, ["X-A": "1"], configuration: configuration)
        #expect(besides.values(for: "User-Agent") == ["Configured/1.0"] && besides["X-A"] == "1")
    }

    @Test(arguments: TransportKind.allCases)
    func `A request's headers do not go into another request`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        let own: [HTTPHeaders] = [
            [:], ["User-Agent": "Own/2.0"], [:], ["X-A": "1"], ["User-Agent": "Own/3.0", "X-A": "2"], [:],
        ]
        for method in ["GET", "HEAD", "POST"] {
            bench.server.forgetRequests()
            for headers in own {
                #expect(await bench.run(bench.exchange(method: method, headers: headers)).hasSucceeded)
            }
            let received = bench.server.requests.map(\.headers)
            let agent = TransportConfiguration().userAgent
            #expect(
                received.map { $0.values(for: "User-Agent") }
                    == [[agent], ["Own/2.0"], [agent], [agent], ["Own/3.0"], [agent]])
            #expect(received.map { $0["X-A"] } == [nil, nil, nil, "1", "2", nil])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Framing headers come from the body only`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        let headers: HTTPHeaders = ["Content-Length": "99", "transfer-encoding": "chunked", "X-A": "1"]
        let exchange = bench.exchange(method: "POST", headers: headers, body: TestBody("content"))
        #expect(await bench.run(exchange).hasSucceeded)
        let request = try #require(bench.server.requests.first)
        #expect(request.headers.values(for: "Content-Length") == ["7"])
        #expect(request.headers["Transfer-Encoding"] == nil)
        #expect(request.headers["X-A"] == "1")
        #expect(request.body == Data("content".utf8))
    }

    @Test(arguments: TransportKind.allCases)
    func `A body gets only the content type that it was given`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        for headers in [[:], ["Content-Type": "text/x-own"]] as [HTTPHeaders] {
            _ = await bench.run(bench.exchange(method: "POST", headers: headers, body: TestBody("content")))
        }
        let types = bench.server.requests.map { $0.headers.values(for: "Content-Type") }
        #expect(types.last == ["text/x-own"])
        kind.expect(unless: .inventsContentType) { #expect(types.first == []) }
    }

    @Test(arguments: TransportKind.allCases)
    func `User information in the URL is not sent`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        var exchange = bench.exchange()
        exchange.url = try #require(URL(string: "http://user:password@127.0.0.1:\(bench.server.port)/?a@b"))
        let transcript = await bench.run(exchange)
        #expect(transcript.hasSucceeded)
        let request = try #require(bench.server.requests.first)
        #expect(request.target == "/?a@b")
        #expect(request.headers["Authorization"] == nil)
    }

    /// The fields of a GET as the server has received them.
    private func received(
        _ kind: TransportKind, _ headers: HTTPHeaders, configuration: TransportConfiguration = .patient
    ) async throws -> ReceivedHeaders {
        let bench = try TransportBench(kind, configuration)
        bench.server.serve("/", .text("done"))
        #expect(await bench.run(bench.exchange(headers: headers)).hasSucceeded)
        return try #require(bench.server.requests.first).headers
    }
}

extension HTTPHeaders {
    fileprivate init(_ fields: [(String, String)]) {
        self.init()
        for (name, value) in fields { append(name: name, value: value) }
    }
}
