import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What is sent is one request, wherever its parts come from.
@Suite(.timeLimit(.minutes(10)))
struct InjectionTests {
    private static let breaks = [
        "\r\nX-Evil: 1", "\nX-Evil: 1", "\rX-Evil: 1", "\0", "\r\n\r\nGET /evil HTTP/1.1\r\nHost: x",
    ]

    private func expectNothingSent(by server: LoopbackServer) {
        #expect(server.requests.isEmpty && server.counters.malformedRequests == 0)
    }

    @Test(arguments: TransportKind.allCases, breaks)
    func `A line break in the name of the agent is refused`(kind: TransportKind, text: String) async throws {
        var configuration = TransportConfiguration.patient
        configuration.userAgent = "agent\(text)"
        let bench = try TransportBench(kind, configuration)
        bench.server.serve("/", .text("ok"))
        let error = await bench.get().error
        #expect(error?.localizedDescription.contains("user agent") == true)
        #expect(error.map { NetworkError($0).code } == .malformedRequest)
        expectNothingSent(by: bench.server)
        // A proxy would get it even where the request has one of its own.
        #expect(await bench.run(bench.exchange(headers: ["User-Agent": "mine"])).error != nil)
        expectNothingSent(by: bench.server)
    }

    @Test(arguments: TransportKind.allCases, breaks)
    func `A line break in a field, the method or a proxy's credential of an exchange is refused`(
        kind: TransportKind, text: String
    ) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("ok"))
        var exchanges = [
            bench.exchange(headers: ["X-A": "1\(text)"]), bench.exchange(headers: ["X-A\(text)": "1"]),
            bench.exchange(headers: ["": "1"]), bench.exchange(headers: ["X A": "1"]),
            bench.exchange(method: "GET\(text)"),
            bench.exchange(method: ""), bench.exchange(),
        ]
        exchanges[exchanges.count - 1].proxyAuthorization = "Digest username=\"\(text)\""
        for exchange in exchanges {
            let error = await bench.run(exchange).error
            #expect(error.map { NetworkError($0).code } == .malformedRequest)
        }
        expectNothingSent(by: bench.server)
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `A line break in the user's name for Digest is refused`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve(
            "/", .status(401, headers: ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""]))
        var request = NetworkRequest(rig.server.url)
        request.credential = URLCredential(user: "a\r\nX-Evil: 1", password: "p", persistence: .none)
        let operation = await rig.run(request)
        #expect(operation.error?.code == .malformedRequest)
        #expect(operation.error?.description.contains("Authorization") == true)
        // Basic would have been sent unasked, and is base64.
        #expect(rig.server.requests.allSatisfy { $0.headers["X-Evil"] == nil })
        #expect(rig.server.counters.malformedRequests == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `A line break in the type of the content is refused with the name of the field`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig(kind)
        rig.server.serve("/", .text("ok"))
        var request = NetworkRequest(rig.server.url)
        request.body = .data(Data("x".utf8), contentType: "text/plain\r\nX-Evil: 1")
        let operation = await rig.run(request)
        #expect(operation.error?.code == .malformedRequest)
        #expect(operation.error?.description.contains("Content-Type") == true)
        expectNothingSent(by: rig.server)
    }

    @Test(arguments: TransportKind.allCases, breaks)
    func `A line break in a user's field fails the request instead of losing the field`(
        kind: TransportKind, text: String
    ) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/", .text("ok"))
        for headers in [["X-A": "1\(text)"], ["X-A\(text)": "1"]] as [HTTPHeaders] {
            let operation = await rig.run(NetworkRequest(rig.server.url, headers: headers))
            #expect(operation.error?.code == .malformedRequest)
            #expect(operation.error?.description.contains("X-A") == true)
        }
        expectNothingSent(by: rig.server)
    }

    @Test(arguments: TransportKind.allCases, breaks)
    func `A line break that an adapter brings begins no line`(kind: TransportKind, text: String) async throws {
        let changes: [@Sendable (inout URLRequest) -> Void] = [
            { $0.httpMethod = "GET\(text)" }, { $0.setValue("1\(text)", forHTTPHeaderField: "X-A") },
            { $0.setValue("1", forHTTPHeaderField: "X-A\(text)") },
        ]
        for (number, change) in changes.enumerated() {
            let rig = try LiveRig(kind)
            rig.server.serve("/", .text("ok"))
            rig.queue.adapters = [
                .adapter { request, _ in
                    var request = request
                    change(&request)
                    return request
                }
            ]
            let error = await rig.get("/").error
            if error == nil, number > 0 {
                // Foundation has left the field out.
                let lines = rig.server.requests.flatMap { $0.headers.map(\.name) }
                #expect(!lines.isEmpty && !lines.contains { $0.hasPrefix("X-") })
                #expect(rig.server.requests.count == 1 && rig.server.counters.malformedRequests == 0)
            } else {
                #expect(error?.code == .malformedRequest)
                expectNothingSent(by: rig.server)
            }
        }
    }
}
