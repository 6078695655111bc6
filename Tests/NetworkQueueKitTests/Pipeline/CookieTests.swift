import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A cookie", .timeLimit(.minutes(10)))
struct CookieTests {
    private let storage: HTTPCookieStorage

    init() throws {
        // A session that leaves no traces has a storage of its own.
        storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
    }

    private func rig(
        isOn: Bool = true, _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer = { _ in .ok() }
    ) -> QueueRig {
        QueueRig(
            ScriptedTransport(script: script),
            configure: {
                $0.cookieStorage = isOn ? storage : nil
                $0.cancelsAllOnFailure = false
            })
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// What is sent to a URL after `Set-Cookie` fields have come from `http://host.test/a/b`.
    private func sent(_ fields: [String], from: String = "http://host.test/a/b", to: String) async throws -> String? {
        let origin = try url(from)
        var headers = HTTPHeaders()
        for field in fields { headers.append(name: "Set-Cookie", value: field) }
        let rig = rig { [headers] in $0.url == origin ? .status(200, headers) : .ok() }
        rig.queue.add(origin)
        await rig.queue.run()
        rig.queue.add(try url(to))
        await rig.recorder.waitForDrain(2)
        return rig.transport.exchanges[1].exchange.headers["Cookie"]
    }

    @Test func `storage is each session's own`() throws {
        let other = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        storage.takeCookies(from: ResponseHead(statusCode: 200, headers: ["Set-Cookie": "a=1"], url: .test("a")))
        #expect(storage.cookies(for: .test("a"))?.count == 1 && other.cookies(for: .test("a"))?.isEmpty != false)
    }

    @Test func `that comes with a redirect is sent on the next hop, and to the requests that follow`() async {
        let rig = rig { exchange in
            exchange.path == "/login"
                ? .status(302, ["Location": "/home", "Set-Cookie": "session=1; Path=/"]) : .ok()
        }
        rig.queue.maxConcurrentRequestCount = 1
        rig.queue.add(.test("login"))
        rig.queue.add(.test("other"))
        await rig.queue.run()
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Cookie"] } == [nil, "session=1", "session=1"])
    }

    @Test func `is not kept unless there is a storage`() async {
        let rig = rig(isOn: false) { _ in .status(302, ["Location": "/a", "Set-Cookie": "session=1; Path=/"]) }
        rig.queue.redirectPolicy.maximumCount = 2
        rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(rig.transport.exchanges.count == 3)
        #expect(rig.transport.exchanges.allSatisfy { !$0.exchange.headers.contains("Cookie") })
        #expect(NetworkQueue().cookieStorage == nil && RequestQueue().cookieStorage == nil)
    }

    @Test func `field of the request's own goes in place of the storage's`() async {
        storage.takeCookies(
            from: ResponseHead(statusCode: 200, headers: ["Set-Cookie": "a=1; Path=/"], url: .test("a")))
        let rig = rig()
        rig.queue.maxConcurrentRequestCount = 1
        rig.queue.add(URLRequest(url: .test("x")).adding("own=1", to: "cookie"))
        rig.queue.add(.test("y"))
        await rig.queue.run()
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Cookie"] } == ["own=1", "a=1"])
    }

    @Test(
        arguments: [
            ("http://host.test/c", "a=1; Path=/", true), ("http://host.test/c", "a=1; Path=/c", true),
            ("http://host.test/c/d", "a=1; Path=/c", true), ("http://host.test/cd", "a=1; Path=/c", false),
            ("http://host.test/", "a=1; Path=/c", false), ("http://host.test/c", "a=1; Path=/c/", false),
            ("http://host.test/a/c", "a=1", true), ("http://host.test/c", "a=1", false),
            ("http://host.test/a", "a=1; Path=nonsense", true), ("http://host.test", "a=1; path=/", true),
        ])
    func `is sent below its path only`(to: String, field: String, isSent: Bool) async throws {
        #expect(try await sent([field], to: to) == (isSent ? "a=1" : nil), "\(field) to \(to)")
    }

    @Test(
        arguments: [
            ("http://other.test/", "a=1; Path=/", false), ("http://www.host.test/", "a=1; Path=/", false),
            ("http://www.host.test/", "a=1; Path=/; Domain=host.test", true),
            ("http://www.host.test/", "a=1; Path=/; Domain=.host.test", true),
            ("http://host.test/", "a=1; Path=/; Domain=host.test", true),
            ("http://xhost.test/", "a=1; Path=/; Domain=host.test", false),
            ("http://other.test/", "a=1; Path=/; Domain=other.test", false),
            ("http://host.test/", "a=1; Path=/; Domain=test", false),
            ("http://other.test/", "a=1; Path=/; Domain=.test", false),
        ])
    func `is sent to its domain only, which has to be its server's`(to: String, field: String, isSent: Bool)
        async throws
    {
        #expect(try await sent([field], to: to) == (isSent ? "a=1" : nil), "\(field) to \(to)")
    }

    @Test(arguments: [("http://host.test/c", false), ("https://host.test/c", true)])
    func `that is secure is sent over https only`(to: String, isSent: Bool) async throws {
        let cookie = try await sent(["a=1; Path=/; Secure"], from: "https://host.test/a/b", to: to)
        #expect(cookie == (isSent ? "a=1" : nil))
    }

    @Test func `among several in as many fields keeps its date`() async throws {
        let fields = ["a=1; Path=/; Expires=Fri, 31 Dec 9999 23:59:59 GMT", "b=2; Path=/", "c=3; Path=/; Max-Age=0"]
        let cookie = try await sent(fields, to: "http://host.test/c")
        #expect(Set((cookie ?? "").split(separator: "; ")) == ["a=1", "b=2"])
    }

    @Test(
        arguments: [
            ("a=1; Path=/; Max-Age=3600", true), ("a=1; Path=/; Max-Age=-1", false),
            ("a=1; Path=/; max-age = 0", false),
            ("a=1; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT", false),
            ("a=1; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=60", true),
        ])
    func `is not sent after its time`(field: String, isSent: Bool) async throws {
        #expect(try await sent([field], to: "http://host.test/c") == (isSent ? "a=1" : nil), "\(field)")
    }

    @Test func `that is set again takes the place of the former, and one without time left removes it`() async throws {
        let url = "http://host.test/c"
        #expect(try await sent(["a=1; Path=/", "a=2; Path=/"], to: url) == "a=2")
        #expect(try await sent(["a=1; Path=/", "a=; Path=/; Max-Age=0"], to: url) == nil)
    }

    @Test func `of a longer path goes first`() async throws {
        #expect(
            try await sent(["a=1; Path=/", "b=2; Path=/c/d", "c=3; Path=/c"], to: "http://host.test/c/d")
                == "b=2; c=3; a=1")
    }

    @Test func `goes to the origin that it is for on each hop of a redirect`() async throws {
        storage.takeCookies(
            from: ResponseHead(statusCode: 200, headers: ["Set-Cookie": "a=1; Path=/"], url: .test("a")))
        let other = try url("http://other.test/b")
        storage.takeCookies(from: ResponseHead(statusCode: 200, headers: ["Set-Cookie": "b=2; Path=/"], url: other))
        let rig = rig { $0.path == "/a" ? .status(302, ["Location": "http://other.test/b"]) : .ok() }
        rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Cookie"] } == ["a=1", "b=2"])
    }
}
