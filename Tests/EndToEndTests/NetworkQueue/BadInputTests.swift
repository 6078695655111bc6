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

    @Test(arguments: TransportKind.allCases, TransportFault.all)
    func `A faulty response fails its request with a clear error`(kind: TransportKind, fault: TransportFault)
        async throws
    {
        if fault.isForSome, !TransportKind.forAnyResponse.contains(kind) { return }
        let rig = try LiveRig(kind)
        rig.server.serve("/", fault.response)
        for destination in [Destination.memory, .discard] {
            let operation = await rig.get("/", to: destination)
            // A length that is too large for a byte count goes unnoticed by a transport, and not by a queue.
            expectFailure(rig, operation, .badServerResponse, fault.code == nil ? .badServerResponse : .connectionLost)
            #expect(operation.data == nil)
        }
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
