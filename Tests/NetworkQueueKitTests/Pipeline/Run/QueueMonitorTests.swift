import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// Writes down what it is told.
private struct RecordingMonitor: QueueMonitor {
    let lines = Gathering<String>()
    let metrics = Gathering<RequestMetrics>()
    let statuses = Gathering<Int?>()

    func attemptDidStart(in context: AttemptContext) { add("start", context) }

    func attempt(didReceive head: ResponseHead, in context: AttemptContext) {
        add("head \(head.statusCode) of \(context.sentRequest?.url?.path() ?? "nothing")", context)
    }

    func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {
        add("redirect \(url.path())", context)
    }

    func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {
        add("challenge \(challenge.realm) \(challenge.previousFailureCount)", context)
    }

    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        self.metrics.add(metrics)
        statuses.add(context.statusCode)
        add("end \(error.map { "\($0.code)" } ?? "well")", context)
    }

    func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {
        add("repeat after \(delay)", context)
    }

    func didHold(host: String, for delay: Duration, in context: AttemptContext) {
        add("hold \(host) \(delay)", context)
    }

    private func add(_ line: String, _ context: AttemptContext) {
        lines.add("\(context.request.method) \(context.request.url.path()) \(context.attempt): \(line)")
    }
}

@Suite(.timeLimit(.minutes(10)))
struct QueueMonitorTests {
    private let monitor = RecordingMonitor()

    /// What the monitor is told of one request. Redirects are refused and challenges not answered unless `goesOn`.
    private func run(
        _ request: NetworkRequest = .get(.test("a")), answers: [ScriptedTransport.Answer], goesOn: Bool = true,
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) async -> [String] {
        let rest = Guarded(answers)
        let rig = QueueRig(
            ScriptedTransport { _ in rest.withLock { $0.removeFirst() } },
            configure: {
                $0.monitors = [monitor]
                configure(&$0)
            },
            redirect: { goesOn ? $0 : nil }, credential: { _ in goesOn ? .user("p") : nil })
        await rig.run(request)
        return monitor.lines.values
    }

    @Test func `A monitor sees retries, even those that a server asks for`() async {
        let lines = await run(
            .test("a") { $0.retryPolicy = .immediate(2) },
            answers: [.fail(.timedOut), .status(503, ["Retry-After": "0"]), .status(404)])
        #expect(
            lines == [
                "GET /a 1: start", "GET /a 1: end timedOut", "GET /a 1: repeat after 0.0 seconds",
                "GET /a 2: start", "GET /a 2: head 503 of /a", "GET /a 2: end httpStatus(503)",
                "GET /a 2: repeat after 0.0 seconds",
                "GET /a 3: start", "GET /a 3: head 404 of /a", "GET /a 3: end httpStatus(404)",
            ])
    }

    @Test func `A monitor sees how long a host is blocked`() async {
        let rig = QueueRig(ScriptedTransport { _ in .status(429, ["Retry-After": "7"]) }) {
            $0.monitors = [monitor]
            $0.retryPolicy = .immediate(1)
        }
        rig.add(1)
        rig.queue.go()
        let lines = await monitor.lines.wait(count: 5)
        #expect(
            lines == [
                "GET /0 1: start", "GET /0 1: head 429 of /0", "GET /0 1: hold host.test 7.0 seconds",
                "GET /0 1: end httpStatus(429)", "GET /0 1: repeat after 7.0 seconds",
            ])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        // The attempt that was waited for has not begun.
        #expect(monitor.lines.values.count == 5)
    }

    @Test func `A monitor sees redirects and challenges`() async {
        let lines = await run(answers: [
            .status(302, ["Location": "/b"]), .status(401, ["WWW-Authenticate": "Basic realm=\"r\""]), .ok(),
        ])
        #expect(
            lines == [
                "GET /a 1: start", "GET /a 1: head 302 of /a", "GET /a 1: redirect /b", "GET /a 1: head 401 of /b",
                "GET /a 1: challenge r 0", "GET /a 1: head 200 of /b", "GET /a 1: end well",
            ])
    }

    @Test(
        arguments: [
            (302, ["Location": "/b"], []), (302, ["Location": "https://user@/none"], []),
            (401, ["WWW-Authenticate": "Basic realm=\"r\""], ["GET /a 1: challenge r 0"]),
        ] as [(Int, HTTPHeaders, [String])])
    func `A monitor sees once the response to a refused or useless redirect and to an unanswered challenge`(
        status: Int, headers: HTTPHeaders, more: [String]
    ) async {
        #expect(
            await run(answers: [.status(status, headers)], goesOn: false)
                == ["GET /a 1: start", "GET /a 1: head \(status) of /a"] + more
                + ["GET /a 1: end httpStatus(\(status))"])
    }

    @Test func `A monitor sees sizing requests`() async {
        #expect(
            await run(answers: [.ok(), .ok()]) { $0.showsAccurateProgress = true } == [
                "HEAD /a 1: start", "HEAD /a 1: head 200 of /a", "HEAD /a 1: end well",
                "GET /a 1: start", "GET /a 1: head 200 of /a", "GET /a 1: end well",
            ])
    }

    @Test func `A monitor sees an attempt that is cancelled, and none of an operation that has not started`() async {
        let rig = QueueRig(configure: {
            $0.monitors = [monitor]
            $0.maxConcurrentRequestCount = 1
        })
        rig.add(2)
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        #expect(monitor.lines.values == ["GET /0 1: start", "GET /0 1: end cancelled"])
    }

    @Test func `A monitor sees attempts that were never sent`() async throws {
        let lines = await run(NetworkRequest(try #require(URL(string: "file:///etc/passwd"))), answers: [])
        #expect(lines == ["GET /etc/passwd 1: start", "GET /etc/passwd 1: end unsupportedScheme"])
    }

    @Test func `Several monitors of a RequestQueue are all told, in order`() async throws {
        let first = RecordingMonitor()
        let second = RecordingMonitor()
        let queue = RequestQueue(transport: ScriptedTransport { _ in .ok() })
        queue.monitors = [first, second]
        _ = try await queue.response(for: .test("a"))
        #expect(first.lines.values == second.lines.values && first.lines.values.count == 3)
    }

    @Test func `A monitor gets the metrics that the transport has measured`() async throws {
        let rig = QueueRig(configure: { $0.monitors = [monitor] })
        let operation = rig.add(1)[0]
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive()
        let measured = ExchangeMetrics(connect: .milliseconds(3), isConnectionReused: false, httpVersion: "HTTP/2")
        exchange.report(measured)
        exchange.end()
        await rig.recorder.waitForDrain()
        #expect(monitor.metrics.values.map(\.exchange) == [measured])
        #expect(operation.metrics == monitor.metrics.values.first)
    }

    @Test func `An attempt ends with the status of its latest response`() async {
        _ = await run(
            .test("a") { $0.retryPolicy = .immediate(2) },
            answers: [.status(503), .fail(.timedOut), .status(302, ["Location": "/b"]), .status(204)])
        #expect(monitor.statuses.values == [503, nil, 204])
    }

    // MARK: Metrics

    @Test func `Metrics tell how long a request has waited and been sized`() async throws {
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        let operation = rig.add(1)[0]
        rig.advance(by: .seconds(2))
        rig.queue.go()
        let probe = await rig.transport.exchange(0)
        rig.advance(by: .seconds(3))
        probe.answer(.ok())
        let exchange = await rig.transport.exchange(1)
        rig.advance(by: .seconds(4))
        exchange.receive()
        rig.advance(by: .seconds(5))
        exchange.end()
        await rig.recorder.waitForDrain()
        #expect(
            operation.metrics
                == RequestMetrics(
                    duration: .seconds(9), queueDuration: .seconds(5), sizingDuration: .seconds(3),
                    timeToFirstByte: .seconds(4), attempts: 1))
    }

    @Test func `Metrics count the attempts that were sent`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .fail(.timedOut) }, configure: { $0.cancelsAllOnFailure = false })
        let unsent = rig.queue.add(try #require(URL(string: "file:///etc/passwd")))
        let sent = rig.queue.add(.test("a") { $0.retryPolicy = .immediate(2) })
        let cancelled = RequestOperation(.get(.test("b")))
        cancelled.cancel()
        await rig.run(cancelled)
        #expect([unsent, sent, cancelled].map(\.attempts) == [0, 3, 0])
        #expect([unsent, sent, cancelled].map { $0.error?.attempts } == [0, 3, 0])
        #expect([unsent, sent, cancelled].map { $0.metrics?.attempts } == [0, 3, nil])
    }

    // MARK: EventLogger

    @Test func `An EventLogger writes a clean line for each event`() async throws {
        let lines = Gathering<String>()
        var request = NetworkRequest(try #require(URL(string: "http://user:secret@host.test/a")))
        request.retryPolicy = .immediate(2)
        _ = await run(
            request, answers: [.fail(.timedOut), .status(302, ["Location": "/b"]), .ok("content")]
        ) { $0.monitors = [EventLogger { lines.add($0) }] }
        #expect(
            lines.values.map { $0.drop { $0 != " " }.dropFirst() }
                == [
                    "attempt 1", "failed after 0.0 s: The request to host.test:80 timed out.",
                    "attempt 2 in 0.0 s", "attempt 2",
                    "302", "redirected to http://host.test/b", "200", "ended after 0.0 s, 7 bytes received",
                ].map { "GET http://host.test/a: " + $0 })
    }
}
