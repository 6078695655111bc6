import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

extension URL {
    /// `http://name.test/a`.
    fileprivate static func host(_ name: String) throws -> URL { try #require(URL(string: "http://\(name).test/a")) }
}

extension NetworkRequest {
    /// A GET for the first of these hosts, with the others as its mirrors.
    fileprivate static func hosts(_ names: String...) throws -> NetworkRequest {
        var request = NetworkRequest(try .host(names[0]))
        request.mirrors = try names.dropFirst().map { try .host($0) }
        return request
    }
}

@Suite(.timeLimit(.minutes(10)))
struct MirrorTests {
    private let transport = ScriptedTransport { exchange in
        switch exchange.url.host() {
        case "down.test": .fail(.cannotConnectToHost)
        case "missing.test": .status(404)
        case "busy.test": .status(503)
        default: .ok("\(exchange.url)")
        }
    }
    private var hosts: [String?] { transport.exchanges.map { $0.exchange.url.host() } }

    // MARK: Which failures move on

    @Test
    func `A mirror serves what the request's own URL does not have`() async throws {
        let rig = QueueRig(transport)
        let operation = rig.queue.add(try .hosts("missing", "down", "good", "other"))
        let summary = await rig.queue.run()
        #expect(operation.data == Data("http://good.test/a".utf8))
        #expect(operation.responseHead?.url == (try .host("good")))
        #expect(operation.mirror == (try .host("good")))
        #expect(operation.attempts == 3 && operation.metrics?.attempts == 3)
        #expect(
            rig.recorder.story(of: operation)
                == ["start", "retry httpStatus(404)", "retry cannotConnectToHost", "head 200", "finish"])
        #expect(summary.counts.total == 1 && summary.counts.finished == 1 && summary.failures.isEmpty)
    }

    @Test(arguments: [
        URLError.Code.timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .secureConnectionFailed,
        .badServerResponse, .unknown,
    ])
    func `A failure of the connection moves on`(code: URLError.Code) async throws {
        transport.setScript { $0.url.host() == "bad.test" ? .fail(code) : .ok() }
        let rig = QueueRig(transport)
        let operation = await rig.run(try .hosts("bad", "good"))
        #expect(operation.status == .finished)
        #expect(hosts == ["bad.test", "good.test"])
    }

    @Test func `A URL that cannot be asked moves on`() async throws {
        let rig = QueueRig(transport)
        for text in ["ftp://good.test/a", "", "http:///a"] {
            var request = NetworkRequest(URL(string: text) ?? URL(filePath: "/"))
            request.mirrors = [try .host("good")]
            #expect(await rig.run(request).status == .finished, "\(text)")
        }
    }

    @Test func `Content that is not what was expected moves on`() async throws {
        transport.setScript { exchange in
            exchange.url.host() == "short.test"
                ? .text("a page", ["Content-Type": "text/html"]) : .text("good", ["Content-Type": "image/png"])
        }
        let rig = QueueRig(transport)
        let rules: [(inout NetworkRequest) -> Void] = [
            { $0.expectedDownloadSize = 4 },
            { $0.validation = .custom { if $0.url.host() == "short.test" { throw URLError(.cannotParseResponse) } } },
            { $0.validation = .contentTypes(["image/*"]) },
        ]
        for rule in rules {
            var request = try NetworkRequest.hosts("short", "good")
            rule(&request)
            #expect(await rig.run(request).data == Data("good".utf8))
        }
    }

    @Test func `What is wrong on this side fails at once`() async throws {
        let rig = QueueRig(transport)
        let faults: [(NetworkError.Code, (inout NetworkRequest) -> Void)] = [
            (.malformedRequest, { $0.headers["X-A"] = "a\nb" }),
            (.fileSystem, { $0.destination = .file(URL(filePath: "/dev/null/a")) }),
            (.adapting, { $0.adapters = [.adapter { _, _ in throw Refusal() }] }),
            (.processing, { $0.processors = [.processor { _, _ in throw Refusal() }] }),
            (.validation, { $0.expectedChecksum = .md5("no checksum") }),
            (.httpStatus(404), { $0.retryDecider = .decider { _, _ in .fail } }),
        ]
        for (code, change) in faults {
            var request = try NetworkRequest.hosts(code == .httpStatus(404) ? "missing" : "good", "other")
            change(&request)
            let operation = await rig.run(request)
            #expect(operation.error?.code == code)
            #expect(operation.mirror == nil && operation.error?.formerFailures.isEmpty == true, "\(code)")
        }
    }

    @Test func `Only GET and HEAD without content use mirrors`() async throws {
        let rig = QueueRig(transport)
        for (method, body, status) in [
            ("GET", nil, RequestOperation.Status.finished), ("HEAD", nil, .finished), ("POST", nil, .failed),
            ("PUT", nil, .failed), ("DELETE", nil, .failed), ("OPTIONS", nil, .failed), ("GET", "x", .failed),
        ] {
            var request = try NetworkRequest.hosts("missing", "good")
            request.method = method
            request.body = body.map { .data(Data($0.utf8)) }
            #expect(await rig.run(request).status == status, "\(method)")
        }
    }

    @Test func `The total timeout counts for all URLs together and moves to none`() async throws {
        transport.setScript { $0.url.host() == "slow.test" ? .fail(.timedOut) : .hold }
        let rig = QueueRig(transport)
        var request = try NetworkRequest.hosts("slow", "silent", "good")
        request.totalTimeout = .seconds(10)
        request.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(4)))
        let operation = rig.queue.add(request)
        rig.queue.go()
        await rig.waitForRetries(1)
        rig.advance(by: .seconds(4))
        await transport.waitForExchanges(3)
        rig.advance(by: .seconds(6))
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .timedOut)
        #expect(hosts == ["slow.test", "slow.test", "silent.test"])
    }

    @Test func `When all fail the error is the last one's, with those before it`() async throws {
        let rig = QueueRig(transport)
        let operation = await rig.run(try .hosts("down", "busy", "missing"))
        let error = try #require(operation.error)
        #expect(error.code == .httpStatus(404) && error.attempts == 3)
        #expect(error.url == (try .host("missing")))
        #expect(error.response?.head.url == (try .host("missing")))
        #expect(error.formerFailures.map(\.code) == [.cannotConnectToHost, .httpStatus(503)])
        #expect(try error.formerFailures.map(\.url) == [.host("down"), .host("busy")])
        #expect(
            error.description
                == "missing.test responded with status 404. Before that, the first of 3 URLs failed: "
                + "Could not connect to down.test:80.")
        #expect(operation.responseHead?.statusCode == 404)
        #expect(rig.recorder.story(of: operation).suffix(2) == ["head 404", "fail httpStatus(404)"])
    }

    // MARK: Retries

    @Test func `Each URL has retries of its own`() async throws {
        let rig = QueueRig(transport) {
            $0.retryPolicy = RetryPolicy(maxRetries: 2, backoff: .constant(.seconds(1)))
        }
        let operation = rig.queue.add(try .hosts("busy", "down", "good"))
        rig.queue.go()
        for count in [1, 2, 4, 5] {
            await rig.waitForRetries(count)
            rig.advance(by: .seconds(1))
        }
        await rig.recorder.waitForDrain()
        #expect(hosts == ["busy.test", "busy.test", "busy.test", "down.test", "down.test", "down.test", "good.test"])
        #expect(operation.attempts == 7)
        #expect(rig.retryDelays == [.seconds(1), .seconds(1), .zero, .seconds(1), .seconds(1), .zero])
    }

    @Test func `An outage is not waited for while there is another URL`() async throws {
        let rig = QueueRig(transport) {
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(1)))
            $0.retryPolicy.outageTolerance = .seconds(30)
        }
        let operation = rig.queue.add(try .hosts("down", "missing", "down"))
        rig.queue.go()
        await rig.waitForRetries(1)
        rig.advance(by: .seconds(1))
        await rig.waitForRetries(3)
        // At the last one it is.
        await rig.waitForRetries(4)
        for _ in 0..<40 { rig.advance(by: .seconds(1)) }
        await rig.recorder.waitForDrain()
        #expect(hosts.prefix(4) == ["down.test", "down.test", "missing.test", "down.test"])
        #expect(hosts.count > 5)
        #expect(operation.error?.code == .cannotConnectToHost)
        #expect(try operation.error?.formerFailures.map(\.url) == [.host("down"), .host("missing")])
    }

    @Test func `A failure at a mirror is not blamed on the HEAD of another URL`() async throws {
        transport.setScript { exchange in
            exchange.method == "HEAD" ? .ok() : .status(exchange.url.host() == "own.test" ? 500 : 404)
        }
        let rig = QueueRig(transport) { $0.showsAccurateProgress = true }
        let operation = await rig.run(try .hosts("own", "missing"))
        #expect(operation.error?.code == .httpStatus(404) && operation.error?.mayComeFromHead == false)
    }

    @Test func `A decider's request in place of a mirror's goes to that mirror`() async throws {
        transport.setScript { $0.headers.contains("X-Again") ? .ok() : .status(500) }
        let rig = QueueRig(transport)
        var request = try NetworkRequest.hosts("a", "b")
        request.retryDecider = .decider { _, context in
            guard var next = context.sentRequest, context.mirror != nil else { return .usePolicy }
            next.setValue("1", forHTTPHeaderField: "X-Again")
            return .retry(after: .zero, request: next)
        }
        #expect(await rig.run(request).status == .finished)
        #expect(hosts == ["a.test", "b.test", "b.test"])
    }

    // MARK: Hosts and slots

    @Test func `A mirror counts for its own host`() async throws {
        transport.setScript { $0.url.host() == "bad.test" ? .status(404) : .hold }
        let rig = QueueRig(transport) { $0.maxConcurrentRequestCountPerHost = 1 }
        let first = rig.queue.add(try .hosts("good"))
        let second = rig.queue.add(try .hosts("bad", "good"))
        let third = rig.queue.add(try .hosts("other"))
        let fourth = rig.queue.add(try .hosts("good"))
        let fifth = rig.queue.add(try .hosts("bad", "third"))
        rig.queue.go()
        await transport.waitForExchanges(5)
        #expect(await eventually { second.status == .retrying && fifth.status == .running })
        // The second waits for the place that the first has at its mirror, and takes none at its own host.
        #expect(hosts.compactMap(\.self).sorted() == ["bad.test", "bad.test", "good.test", "other.test", "third.test"])
        #expect(
            [first, second, third, fourth, fifth].map(\.status) == [.running, .retrying, .running, .waiting, .running])
        func end(_ host: String) {
            for exchange in transport.exchanges where exchange.exchange.url.host() == host {
                exchange.receive()
                exchange.end()
            }
        }
        end("good.test")
        await transport.waitForExchanges(6)
        #expect(await eventually { second.status == .running && first.status == .finished })
        // Before what has waited for the host in the queue, as a retry.
        #expect([first, second, fourth].map(\.status) == [.finished, .running, .waiting])
        end("good.test")
        await transport.waitForExchanges(7)
        end("good.test")
        end("other.test")
        end("third.test")
        await rig.recorder.waitForDrain()
        #expect([first, second, third, fourth, fifth].allSatisfy { $0.status == .finished })
    }

    @Test func `A mirror whose host has asked for time waits for that`() async throws {
        transport.setScript { exchange in
            switch exchange.url.absoluteString {
            case "http://held.test/first": .status(503, ["Retry-After": "30"])
            case "http://bad.test/a": .status(404)
            default: .ok()
            }
        }
        let rig = QueueRig(transport) {
            $0.retryPolicy = RetryPolicy(maxRetries: 1)
            $0.cancelsAllOnFailure = false
        }
        rig.queue.add(NetworkRequest(try #require(URL(string: "http://held.test/first"))))
        rig.queue.go()
        await rig.waitForRetries(1)
        let operation = rig.queue.add(try .hosts("bad", "held"))
        await transport.waitForExchanges(2)
        #expect(await eventually { operation.status == .retrying && operation.mirror != nil })
        #expect(transport.exchanges.count == 2)
        rig.advance(by: .seconds(30))
        await rig.recorder.wait { $0.contains { if case .didFinish(operation) = $0 { true } else { false } } }
        #expect(operation.responseHead?.url == (try .host("held")))
    }

    @Test func `The host of a mirror is held for others when it asks for time`() async throws {
        transport.setScript { exchange in
            exchange.url.host() == "bad.test" ? .status(404) : .status(503, ["Retry-After": "30"])
        }
        let rig = QueueRig(transport) {
            $0.retryPolicy = RetryPolicy(maxRetries: 1)
            $0.cancelsAllOnFailure = false
        }
        rig.queue.add(try .hosts("bad", "busy"))
        rig.queue.go()
        // At its own URL, and at the mirror.
        await rig.waitForRetries(2)
        let held = rig.queue.add(try .hosts("busy"))
        let free = rig.queue.add(try .hosts("bad"))
        #expect(await eventually { free.status == .failed })
        #expect(held.status == .waiting)
    }

    // MARK: Cancel and pause

    /// Where an operation may be when something comes between.
    enum Stage: CaseIterable, Sendable {
        case ownURL, waitForPlace, mirror
    }

    /// An operation in that stage, in a queue in which one request may run at each host.
    private func begin(_ stage: Stage) async throws -> (QueueRig<NetworkQueue>, RequestOperation) {
        transport.setScript { $0.url.path() == "/a" ? .hold : .ok() }
        let rig = QueueRig(transport) { $0.maxConcurrentRequestCountPerHost = 1 }
        if case .waitForPlace = stage { rig.queue.add(try .hosts("mirror")) }
        let operation = rig.queue.add(try .hosts("own", "mirror"))
        rig.queue.go()
        let count = stage == .waitForPlace ? 2 : 1
        await transport.waitForExchanges(count)
        if case .ownURL = stage { return (rig, operation) }
        transport.exchanges.first { $0.exchange.url.host() == "own.test" }?.answer(.status(500))
        if case .mirror = stage { await transport.waitForExchanges(2) }
        let mirror = try URL.host("mirror")
        let status: RequestOperation.Status = stage == .mirror ? .running : .retrying
        #expect(await eventually { operation.mirror == mirror && operation.status == status })
        return (rig, operation)
    }

    @Test(arguments: Stage.allCases)
    func `A cancellation ends it in every stage`(stage: Stage) async throws {
        let (rig, operation) = try await begin(stage)
        operation.cancel()
        #expect(await eventually { operation.status == .cancelled })
        #expect(operation.error?.code == .cancelled && operation.error?.formerFailures.isEmpty == true)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        #expect(transport.exchanges.count == (stage == .ownURL ? 1 : 2))
    }

    @Test(arguments: Stage.allCases)
    func `A pause holds it in every stage, and it goes on at the same URL`(stage: Stage) async throws {
        let (rig, operation) = try await begin(stage)
        operation.pause()
        // The exchange ends on a thread of its own.
        #expect(await eventually { operation.status == .paused })
        transport.setScript { _ in .ok() }
        for exchange in transport.exchanges where stage == .waitForPlace { exchange.answer(.ok()) }
        rig.settle()
        #expect(operation.status == .paused)
        operation.resume()
        await rig.recorder.waitForDrain()
        #expect(operation.status == .finished)
        #expect(operation.responseHead?.url.host() == (stage == .ownURL ? "own.test" : "mirror.test"))
        #expect(operation.attempts == (stage == .ownURL ? 1 : 2))
    }

    // MARK: What tells of it

    @Test func `Monitors are told at which URL each attempt is`() async throws {
        let lines = Guarded<[String]>([])
        let rig = QueueRig(transport) { $0.monitors = [EventLogger { line in lines.withLock { $0.append(line) } }] }
        let operation = await rig.run(try .hosts("missing", "good"))
        let name = "\(operation.id) GET http://missing.test/a: "
        #expect(
            lines.withLock { $0 }.filter { !$0.contains("ended") && !$0.contains("failed") } == [
                name + "attempt 1", name + "404", name + "attempt 2 in 0.0 s",
                name + "attempt 2 at http://good.test/a", name + "200",
            ])
        #expect(
            operation.description
                == "\(operation.id) GET http://missing.test/a, finished, attempt 2, at http://good.test/a")
    }

    @Test func `An operation of its own uses mirrors, too`() async throws {
        let operation = RequestOperation(try .hosts("missing", "good"))
        operation.setStandalone(transport: transport, timekeeper: ManualClock())
        operation.start()
        #expect(try await operation.response().head.url == .host("good"))
    }

    @Test func `A size is asked for at the request's own URL, and its failure harms nothing`() async throws {
        let rig = QueueRig(transport) { $0.showsAccurateProgress = true }
        let operations = try ["missing", "down"].map { rig.queue.add(try .hosts($0, "good")) }
        await rig.queue.run()
        #expect(operations.allSatisfy { $0.status == .finished })
        #expect(transport.exchanges.filter { $0.exchange.method == "HEAD" }.map { $0.exchange.url.host() }.count == 2)
        #expect(!transport.exchanges.contains { $0.exchange.method == "HEAD" && $0.exchange.url.host() == "good.test" })
        #expect(rig.queue.progress.fractionCompleted == 1)
    }

    @Test func `Requests with other mirrors are not the same`() throws {
        let (none, one, other) = try (
            NetworkRequest.hosts("a"), NetworkRequest.hosts("a", "b"), NetworkRequest.hosts("a", "c")
        )
        #expect(one.isEquivalent(to: one) && !one.isEquivalent(to: other) && !one.isEquivalent(to: none))
    }

    @Test func `A record has the mirrors, without their passwords`() throws {
        var request = try NetworkRequest.hosts("a", "b")
        #expect(request.record.omissions.isEmpty)
        let data = try JSONEncoder().encode(request.record)
        #expect(
            try NetworkRequest(JSONDecoder().decode(NetworkRequest.Record.self, from: data)).mirrors == request.mirrors)
        request.mirrors = [try #require(URL(string: "http://user:secret@b.test/a"))]
        #expect(request.record.omissions == ["mirrors"])
        #expect(NetworkRequest(request.record).mirrors == [try .host("b")])
        // A record of a request without any has no such field, as those that were written before there were any.
        let plain = String(decoding: try JSONEncoder().encode(NetworkRequest(try .host("a")).record), as: UTF8.self)
        #expect(!plain.contains("mirrors"))
    }
}

/// What is meant for one origin stays there.
@Suite(.timeLimit(.minutes(10)))
struct MirrorSecrecyTests {
    private static let bound = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]
    private let transport = ScriptedTransport { $0.url.path() == "/bad" ? .status(404) : .ok() }

    private func request(_ mirrors: String...) throws -> NetworkRequest {
        var request = NetworkRequest(try #require(URL(string: "http://own.test/bad")))
        request.mirrors = try mirrors.map { try #require(URL(string: $0)) }
        return request
    }

    private func values(of name: String) -> [String?] { transport.exchanges.map { $0.exchange.headers[name] } }

    @Test func `Fields for the request's own origin go to mirrors of that origin alone`() async throws {
        let rig = QueueRig(transport) {
            $0.headers["Proxy-Authorization"] = "of the queue"
            $0.headers["X-Other"] = "kept"
        }
        var request = try request(
            "http://other.test/bad", "https://own.test/bad", "http://own.test:8080/bad", "http://OWN.test:80/good")
        for name in Self.bound where name != "Proxy-Authorization" { request.headers[name] = "secret" }
        #expect(await rig.run(request).status == .finished)
        for name in Self.bound {
            #expect(values(of: name).map { $0 != nil } == [true, false, false, false, true], "\(name)")
        }
        #expect(values(of: "X-Other").allSatisfy { $0 == "kept" })
    }

    @Test func `The credential of the request is not sent to a mirror, and that of the mirror to no other`()
        async throws
    {
        let rig = QueueRig(transport)
        var request = try request(
            "http://other.test/bad", "http://a:b@mirror.test/bad", "http://third.test/bad", "http://own.test/good")
        request.credential = URLCredential(user: "user", password: "password", persistence: .none)
        let operation = await rig.run(request)
        #expect(operation.status == .finished)
        let (own, mirrors) = (Data("user:password".utf8), Data("a:b".utf8))
        let authorization = ["Basic \(own.base64EncodedString())", nil, "Basic \(mirrors.base64EncodedString())", nil]
        #expect(values(of: "Authorization") == authorization + [authorization[0]])
        #expect(!transport.exchanges.contains { $0.exchange.url.user() != nil })
        #expect(operation.error == nil && operation.mirror?.user() == nil)
        #expect(!String(reflecting: request).contains("a:b"))
    }

    @Test func `An authenticator is asked for mirrors of the request's own origin alone`() async throws {
        let rig = QueueRig(transport) { $0.authenticator = BearerAuthenticator(token: "token") { _ in "other" } }
        #expect(await rig.run(try request("http://other.test/bad", "http://own.test/good")).status == .finished)
        #expect(values(of: "Authorization") == ["Bearer token", nil, "Bearer token"])
    }

    @Test func `Adapters see the URL of the mirror`() async throws {
        let rig = QueueRig(transport) {
            $0.adapters = [
                .adapter { request, context in
                    var request = request
                    request.setValue(
                        "\(request.url?.host() ?? "") \(context.mirror?.host() ?? "none")", forHTTPHeaderField: "X-At")
                    return request
                }
            ]
        }
        #expect(await rig.run(try request("http://other.test/good")).status == .finished)
        #expect(values(of: "X-At") == ["own.test none", "other.test other.test"])
    }

    @Test func `A mirror's cookies are its own`() async throws {
        transport.setScript { exchange in
            exchange.url.path() == "/bad" ? .status(404, ["Set-Cookie": "name=\(exchange.url.host() ?? "")"]) : .ok()
        }
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let rig = QueueRig(transport) { $0.cookieStorage = storage }
        #expect(await rig.run(try request("http://other.test/bad", "http://own.test/good")).status == .finished)
        #expect(values(of: "Cookie") == [nil, nil, "name=own.test"])
    }
}
