import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueTransportTests {
    @Test(arguments: TransportKind.allCases)
    func `Two requests are under way at a time, and the rest follow`(kind: TransportKind) async throws {
        let rig = try LiveRig.requestQueue(kind)
        let gate = Gate()
        rig.server.serve("/*", .text("x").gated(by: gate))
        for number in 0..<10 { rig.add("/\(number)") }
        #expect(await gate.waitForArrival(count: 2))
        #expect(Set(rig.server.requests.map(\.path)) == ["/0", "/1"] && rig.queue.requestCount == 10)
        gate.open()
        #expect(await rig.summaries(10).sorted() == (0..<10).map { "/\($0) 200 x ok" })
        #expect(rig.server.peakConcurrentRequestCount == 2)
    }

    @Test(arguments: TransportKind.allCases)
    func `Requests with a limit of 1 reach the server and complete in the order of adding`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig.requestQueue(kind) { $0.maxConcurrentRequestCount = 1 }
        rig.server.serve("/*", .text("x"))
        let paths = (0..<100).map { "/\($0)" }
        for path in paths { rig.add(path) }
        #expect(await rig.outcomes.wait(count: 100).map(\.path) == paths)
        #expect(rig.server.requests.map(\.path) == paths && rig.server.peakConcurrentRequestCount == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `A suspended queue lets running requests arrive and starts no more until it is resumed`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig.requestQueue(kind)
        let gate = Gate()
        rig.server.serve("/*", .text("x").gated(by: gate))
        for number in 0..<4 { rig.add("/\(number)") }
        #expect(await gate.waitForArrival(count: 2))
        rig.queue.isSuspended = true
        gate.open()
        #expect(await rig.summaries(2).sorted() == ["/0 200 x ok", "/1 200 x ok"])
        #expect(rig.server.requests.count == 2 && rig.queue.requestCount == 2)
        rig.queue.isSuspended = false
        #expect(await rig.summaries(4).count == 4)
    }

    @Test(arguments: TransportKind.allCases)
    func `A running request is cancelled for a new one that is the same, and others are not`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig.requestQueue(kind) { $0.maxConcurrentRequestCount = 4 }
        let gate = Gate()
        rig.server.serve("/*", .text("x").gated(by: gate))
        rig.add("/same")
        rig.add("/other")
        #expect(await gate.waitForArrival(count: 2))
        rig.add("/same")
        #expect(await rig.summaries(1) == ["/same 0 - cancelled"])
        #expect(await gate.waitForArrival(count: 3))
        gate.open()
        #expect(await rig.summaries(3).sorted() == ["/other 200 x ok", "/same 0 - cancelled", "/same 200 x ok"])
    }

    @Test(arguments: TransportKind.allCases)
    func `Requests that differ in content or header fields are all sent`(kind: TransportKind) async throws {
        let rig = try LiveRig.requestQueue(kind) { $0.maxConcurrentRequestCount = 0 }
        let gate = Gate()
        rig.server.serve("/a", .text("x").gated(by: gate))
        for number in 0..<3 {
            var request = URLRequest(url: rig.server.url("/a"))
            request.httpMethod = "POST"
            request.httpBody = Data("\(number)".utf8)
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            rig.add(request)
            request.httpBody = Data("same".utf8)
            request.setValue("\(number)", forHTTPHeaderField: "X-Number")
            rig.add(request)
        }
        #expect(await gate.waitForArrival(count: 6))
        gate.open()
        #expect(await rig.summaries(6) == Array(repeating: "/a 200 x ok", count: 6))
    }

    @Test(arguments: TransportKind.allCases, [ScriptedResponse.GatePoint.beforeHead, .afterHead, .afterBody(1000)])
    func `A cancelled request hangs up on the server, wherever the response stands, and the next one goes`(
        kind: TransportKind, point: ScriptedResponse.GatePoint
    ) async throws {
        let rig = try LiveRig.requestQueue(kind) { $0.maxConcurrentRequestCount = 1 }
        let gate = Gate()
        rig.server.serve("/slow", .generated(size: 100_000).gated(by: gate, at: point))
        rig.server.serve("/next", .text("next"))
        rig.add("/slow")
        rig.add("/waiting")
        rig.add("/next")
        #expect(await gate.waitForArrival())
        rig.queue.cancel(URLRequest(url: rig.server.url("/waiting")))
        rig.queue.cancel(URLRequest(url: rig.server.url("/slow")))
        let outcomes = await rig.outcomes.wait(count: 3)
        #expect(outcomes.map(\.path) == ["/waiting", "/slow", "/next"])
        #expect(outcomes.map(\.error?.code) == [.cancelled, .cancelled, nil] && outcomes[1].data == nil)
        #expect(await rig.server.wait { $0.concurrentRequests == 0 })
        #expect(rig.server.requestCount("/waiting") == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `Cancelling all requests calls each handler once`(kind: TransportKind) async throws {
        let rig = try LiveRig.requestQueue(kind) { $0.maxConcurrentRequestCount = 5 }
        let gate = Gate()
        rig.server.serve("/*", .text("x").gated(by: gate))
        for number in 0..<50 { rig.add("/\(number)") }
        #expect(await gate.waitForArrival(count: 5))
        rig.queue.cancelAllRequests()
        let outcomes = await rig.outcomes.wait(count: 50)
        #expect(outcomes.allSatisfy { $0.error?.code == .cancelled } && Set(outcomes.map(\.path)).count == 50)
        #expect(await rig.server.wait { $0.concurrentRequests == 0 })
        gate.open()
        rig.add("/last")
        #expect(await rig.summaries(51).last == "/last 200 x ok" && rig.server.requests.count == 6)
    }

    @Test(arguments: TransportKind.allCases)
    func `A rejected status carries its head and content, and a broken response its head`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig.requestQueue(kind) { $0.maxConcurrentRequestCount = 1 }
        rig.server.serve("/404", .text("no such thing", status: 404))
        rig.server.serve("/broken", .generated(size: 10_000).dropping(after: 5_000))
        rig.add("/404")
        rig.add("/broken")
        let outcomes = await rig.outcomes.wait(count: 2)
        #expect(outcomes[0].summary == "/404 404 no such thing httpStatus(404)")
        #expect(outcomes[1].head?.statusCode == 200 && outcomes[1].error?.code == .connectionLost)
    }

    @Test(arguments: TransportKind.allCases)
    func `The progress of a response of unknown length has no total and no fraction`(kind: TransportKind) async throws {
        let rig = try LiveRig.requestQueue(kind)
        rig.server.serve("/a", .generated(size: 100_000).chunked())
        let reports = Gathering<(Double?, Int64, Int64?)>()
        rig.add("/a") { $0.downloadProgressHandler = { reports.add(($0, $1, $2)) } }
        _ = await rig.outcomes.wait(count: 1)
        #expect(!reports.values.isEmpty && reports.values.last?.1 == 100_000)
        #expect(reports.values.allSatisfy { $0.0 == nil && $0.2 == nil })
    }

    @Test(arguments: TransportKind.allCases)
    func `autoRetry gets through to a server that hangs up at first, and gives its whole answer`(
        kind: TransportKind
    ) async throws {
        let rig = try LiveRig.requestQueue(kind)
        rig.server.serve(
            "/a",
            sequence: [
                .generated(size: 50_000).dropping(after: 20_000), .generated(size: 50_000).dropping(after: 1),
                .text("whole"),
            ])
        let operation = rig.add("/a") {
            $0.autoRetry = true
            $0.autoRetryDelay = .milliseconds(1)
        }
        #expect(await rig.summaries(1) == ["/a 200 whole ok"] && operation.attempts == 3)
    }

    @Test(arguments: TransportKind.allCases)
    func `autoRetry asks once for a missing resource, and not at all for a malformed URL`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig.requestQueue(kind) { $0.maxConcurrentRequestCount = 1 }
        let missing = rig.add("/missing") { $0.autoRetry = true }
        var urlRequest = URLRequest(url: rig.server.url)
        urlRequest.url = URL(string: "relative")
        rig.add(urlRequest) { $0.autoRetry = true }
        #expect(await rig.outcomes.wait(count: 2).map(\.error?.code) == [.httpStatus(404), .badURL])
        #expect(missing.attempts == 1 && rig.server.requests.count == 1)
    }
}

extension LiveRig {
    /// Waits for so many outcomes in all.
    fileprivate func summaries(_ count: Int) async -> [String] {
        await outcomes.wait(count: count).map(\.summary)
    }
}

extension RequestOutcome {
    fileprivate var summary: String {
        let content = data.map { String(decoding: $0, as: UTF8.self) } ?? "-"
        return "\(path) \(head?.statusCode ?? 0) \(content) \(error.map { "\($0.code)" } ?? "ok")"
    }
}
