import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Bad input gets a clear error through `didFail`.
@Suite(.timeLimit(.minutes(10)))
struct BadInputTests {
    private func expectFailure(
        _ rig: LiveRig<NetworkQueue>, _ operation: RequestOperation, _ codes: NetworkError.Code..., attempts: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = operation.error
        #expect(error.map { codes.contains($0.code) } == true, "\(error?.code as Any)", sourceLocation: sourceLocation)
        #expect(operation.status == .failed && error?.attempts == attempts, sourceLocation: sourceLocation)
        let story = rig.recorder.story(of: operation)
        #expect(story.first == "start" && story.last?.hasPrefix("fail") == true, sourceLocation: sourceLocation)
        #expect(error?.description.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test(arguments: TransportKind.allCases)
    func `A missing, relative, hostless or foreign URL fails without a connection`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        var missing = URLRequest(url: rig.server.url)
        missing.url = nil
        expectFailure(rig, await rig.run(NetworkRequest(missing)), .badURL, attempts: 0)
        for text in ["relative/path", "/absolute/path", "?query", "http:///no-host", "http:no-slashes", "//host/path"] {
            expectFailure(rig, await rig.run(NetworkRequest(try #require(URL(string: text)))), .badURL, attempts: 0)
        }
        for text in ["file:///etc/hosts", "ftp://127.0.0.1/x", "data:text/plain,x", "mailto:a@b.c", "ws://127.0.0.1/"] {
            let operation = await rig.run(NetworkRequest(try #require(URL(string: text))))
            expectFailure(rig, operation, .unsupportedScheme, attempts: 0)
            #expect(operation.error?.underlying as? URLError == URLError(.unsupportedURL))
        }
        #expect(rig.server.connectionCount == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `Header fields and methods cannot smuggle others`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/", .text("ok"))
        for (name, value) in [
            ("X-A", "a\r\nX-Evil: 1"), ("X-A", "a\nX-Evil: 1"), ("X-A", "a\rX-Evil: 1"), ("X-A\r\nX-Evil", "1"),
            ("X A", "1"), ("X:A", "1"), ("X-A", "a\0b"),
        ] {
            var request = NetworkRequest(rig.server.url)
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
            let operation = await rig.run(request)
            // Foundation may have dropped the field; what must not happen is that another one goes out.
            if operation.error != nil { expectFailure(rig, operation, .malformedRequest, attempts: 0) }
        }
        for method in ["GET /evil HTTP/1.1\r\nX: y\r\n\r\nGET", "G T", "GÉT"] {
            var request = NetworkRequest(rig.server.url)
            request.urlRequest.httpMethod = method
            expectFailure(rig, await rig.run(request), .malformedRequest, attempts: 0)
        }
        #expect(!rig.server.requests.contains { $0.headers["X-Evil"] != nil || $0.path == "/evil" })
        #expect(rig.server.counters.malformedRequests == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `A length that is no byte count fails the request`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) { $0.sizingTimeout = .seconds(5) }
        rig.server.serve("/negative", .text("content").declaring(length: "-5"))
        rig.server.serve("/letters", .text("content").declaring(length: "abc"))
        rig.server.serve("/huge", .text("content").declaring(length: "99999999999999999999999999"))
        rig.server.serve("/two", .text("content").header("Content-Length", "3"))
        for path in ["/negative", "/letters", "/huge", "/two"] {
            for destination in [Destination.memory, .discard] {
                expectFailure(rig, await rig.get(path, to: destination), .badServerResponse)
            }
        }
        rig.server.serve("/absurd", .text("content").declaring(length: "4611686018427387904"))
        expectFailure(rig, await rig.get("/absurd"), .connectionLost, .badServerResponse)
    }

    @Test(arguments: TransportKind.allCases)
    func `A body that ends too early fails the request`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/short", .generated(size: 100).declaring(length: 1000))
        rig.server.serve("/cut", .generated(size: 100_000).dropping(after: 70_000))
        rig.server.serve("/reset", .generated(size: 100_000).dropping(after: 70_000, .reset))
        rig.server.serve("/chunks", .generated(size: 100_000).chunked().dropping(after: 50_000))
        for path in ["/short", "/cut", "/reset", "/chunks"] {
            let operation = await rig.get(path)
            expectFailure(rig, operation, .connectionLost, .badServerResponse)
            #expect(operation.data == nil && rig.recorder.story(of: operation).contains("head 200"))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Chunks that break the format fail the request`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for (index, body) in ["zz\r\nabc\r\n0\r\n\r\n", "3\r\nabcdef\r\n0\r\n\r\n", "-3\r\nabc\r\n"].enumerated() {
            rig.server.serve("/\(index)", .raw(head + body))
            expectFailure(rig, await rig.get("/\(index)"), .badServerResponse, .connectionLost)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A response that is not HTTP fails the request`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/ssh", .raw("SSH-2.0-OpenSSH_9.2\r\n"))
        rig.server.serve("/nothing", .raw(""))
        for path in ["/ssh", "/nothing"] {
            expectFailure(rig, await rig.get(path), .badServerResponse, .connectionLost, .unsupportedScheme, .unknown)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Bytes after the declared length are not taken for content`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/long", .data(Data("1234567890".utf8)).declaring(length: 4))
        let operation = await rig.get("/long")
        #expect(operation.error != nil || operation.data == Data("1234".utf8))
        rig.server.serve("/next", .text("next"))
        #expect(await rig.get("/next").data == Data("next".utf8))
    }

    @Test(arguments: TransportKind.allCases)
    func `A server that is not there fails the request`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let closed = try ClosedPort()
        expectFailure(rig, await rig.run(NetworkRequest(try closed.url("/"))), .cannotConnectToHost)
        let unknown = try #require(URL(string: "http://no-such-host.invalid/"))
        expectFailure(rig, await rig.run(NetworkRequest(unknown)), .cannotFindHost)
    }

    @Test(arguments: TransportKind.allCases)
    func `Silence ends with the request's own timeout`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/silence", .silence)
        var request = NetworkRequest(rig.server.url("/silence"))
        request.urlRequest.timeoutInterval = 0.2
        expectFailure(rig, await rig.run(request), .timedOut)
    }
}
