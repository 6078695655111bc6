import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Fields that the library adds on its own, and that a caller does not want.
@Suite(.timeLimit(.minutes(10)))
struct SuppressedFieldsTests {
    private static let names = ["User-Agent", "Accept", "Accept-Encoding", "Expect", "content-type", "Cookie"]

    private func request(_ url: URL) -> NetworkRequest {
        var request = NetworkRequest.put(url, body: .data(Data(count: 2 << 20), contentType: "text/plain"))
        for name in Self.names { request.headers.suppress(name) }
        return request
    }

    #if canImport(Glibc)
        @Test func `A suppressed field is not sent, whoever would add it`() async throws {
            let server = try LoopbackServer()
            defer { server.stop() }
            server.serve("/a", .status(201))
            let queue = RequestQueue(transport: try #require(CurlTransport()))
            _ = try await queue.response(for: request(server.url("/a")))
            let plain = NetworkRequest.put(
                server.url("/a"), body: .data(Data(count: 2 << 20), contentType: "text/plain"))
            _ = try await queue.response(for: plain)
            let received = server.requests
            #expect(received.count == 2)
            for name in Self.names {
                #expect(received.first?.headers[name] == nil, "\(name)")
                #expect((received.last?.headers[name] == nil) == (name == "Cookie"), "\(name)")
            }
        }

        @Test func `The queue's suppression applies to a request without such a field`() async throws {
            let server = try LoopbackServer()
            defer { server.stop() }
            server.serve("/a", .text("x"))
            let queue = RequestQueue(transport: try #require(CurlTransport()))
            queue.headers.suppress("Accept")
            _ = try await queue.response(for: .get(server.url("/a")))
            _ = try await queue.response(for: .get(server.url("/a"), headers: ["Accept": "text/plain"]))
            #expect(server.requests.map { $0.headers["Accept"] } == [nil, "text/plain"])
            let sizes = NetworkQueue(
                transport: try #require(CurlTransport()), delegateQueue: DispatchQueue(label: "sizes"))
            sizes.headers.suppress("Accept-Encoding")
            sizes.add(server.url("/a"))
            await sizes.run()
            #expect(server.requests.map(\.method).suffix(2) == ["HEAD", "GET"])
            #expect(server.requests.suffix(2).allSatisfy { $0.headers["Accept-Encoding"] == nil })
        }
    #endif

    @Test func `A suppression survives a record, a Foundation request and curlCommand`() throws {
        let url = try #require(URL(string: "http://host.test/a"))
        var request = NetworkRequest.put(url, body: .data(Data("x".utf8), contentType: "text/plain"))
        request.headers.suppress("Content-Type")
        request.headers.suppress("CONTENT-TYPE")
        let data = try JSONEncoder().encode(request.record)
        var again = NetworkRequest(try JSONDecoder().decode(NetworkRequest.Record.self, from: data))
        #expect(again.headers.suppressedNames == ["Content-Type"])
        again.urlRequest = again.urlRequest
        #expect(again.headers.isSuppressed("content-type"))
        let command = RequestOperation(again).curlCommand()
        #expect(command.components(separatedBy: "Content-Type:").count == 2 && !command.contains("text/plain"))
        #expect(!again.isEquivalent(to: .put(url, body: request.body)))
        // Without any, a record is what it was.
        let plain = try JSONEncoder().encode(NetworkRequest.get(url).record)
        #expect(!String(decoding: plain, as: UTF8.self).contains("suppressed"))
    }

    @Test func `A name that is not a token fails the request, and URLSession refuses what it adds itself`() throws {
        var exchange = HTTPExchange(url: try #require(URL(string: "http://host.test/a")))
        exchange.headers.suppress("X\r\nEvil")
        #expect(throws: URLError.self) { try exchange.checkSendable() }
        exchange.headers = HTTPHeaders()
        exchange.headers.suppress("Expect")
        let configuration = TransportConfiguration()
        let policy = SessionPolicy.current
        _ = try URLSessionTransport.urlRequest(for: exchange, configuration, policy: policy)
        exchange.headers.suppress("user-agent")
        let error = #expect(throws: URLError.self) {
            try URLSessionTransport.urlRequest(for: exchange, configuration, policy: policy)
        }
        #expect(error.map { NetworkError($0).code } == .unsupportedConfiguration)
    }
}
