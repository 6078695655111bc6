import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct CookieTests {
    private let storage: HTTPCookieStorage

    init() throws {
        // A session that leaves no traces has a storage of its own.
        storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
    }

    private func rig(
        isOn: Bool = true, _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer = { _ in .ok() }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(ScriptedTransport(script: script)) {
            $0.cookieStorage = isOn ? storage : nil
            $0.cancelsAllOnFailure = false
        }
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// Stores what a response has set.
    private func store(_ fields: String..., from url: URL = .test("a")) {
        var headers = HTTPHeaders()
        for field in fields { headers.append(name: "Set-Cookie", value: field) }
        storage.storeCookies(from: ResponseHead(statusCode: 200, headers: headers, url: url))
    }

    private var stored: [HTTPCookie] { storage.cookies ?? [] }

    /// What is sent to a URL after `Set-Cookie` fields have come from `http://host.test/a/b`.
    private func sent(_ fields: [String], from: String = "http://host.test/a/b", to: String) async throws -> String? {
        let origin = try url(from)
        var headers = HTTPHeaders()
        for field in fields { headers.append(name: "Set-Cookie", value: field) }
        let rig = rig { [headers] in $0.url == origin ? .status(200, headers) : .ok() }
        await rig.run(origin)
        rig.queue.add(try url(to))
        await rig.recorder.waitForDrain(2)
        return rig.transport.exchanges[1].exchange.headers["Cookie"]
    }

    @Test func `A cookie from a redirect is sent on the next hop and with the requests that follow`() async {
        let rig = rig { exchange in
            exchange.path == "/login"
                ? .status(302, ["Location": "/home", "Set-Cookie": "session=1; Path=/"]) : .ok()
        }
        rig.queue.maxConcurrentRequestCount = 1
        rig.queue.add(.test("login"))
        await rig.run(.test("other"))
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Cookie"] } == [nil, "session=1", "session=1"])
    }

    @Test func `A cookie is not kept unless there is a storage`() async {
        let rig = rig(isOn: false) { _ in .status(302, ["Location": "/a", "Set-Cookie": "session=1; Path=/"]) }
        rig.queue.redirectPolicy.maximumCount = 2
        await rig.run(.test("a"))
        #expect(rig.transport.exchanges.count == 3)
        #expect(rig.transport.exchanges.allSatisfy { !$0.exchange.headers.contains("Cookie") })
        #expect(NetworkQueue().cookieStorage == nil && RequestQueue().cookieStorage == nil)
    }

    @Test func `A cookie field of the request's own replaces the storage's cookies`() async {
        store("a=1; Path=/")
        let rig = rig()
        rig.queue.maxConcurrentRequestCount = 1
        rig.queue.add(URLRequest(url: .test("x")).adding("own=1", to: "cookie"))
        await rig.run(.test("y"))
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
    func `A cookie is sent below its path only`(to: String, field: String, isSent: Bool) async throws {
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
    func `A cookie is sent to its domain only, which has to be its server's`(to: String, field: String, isSent: Bool)
        async throws
    {
        #expect(try await sent([field], to: to) == (isSent ? "a=1" : nil), "\(field) to \(to)")
    }

    @Test(arguments: [("http://host.test/c", false), ("https://host.test/c", true)])
    func `A secure cookie is sent over https only`(to: String, isSent: Bool) async throws {
        let cookie = try await sent(["a=1; Path=/; Secure"], from: "https://host.test/a/b", to: to)
        #expect(cookie == (isSent ? "a=1" : nil))
    }

    @Test(
        arguments: [
            ("http://localhost/c", true), ("http://LOCALHOST:8080/c", true), ("http://127.0.0.1/c", true),
            ("http://[::1]:80/c", true), ("http://127.0.0.2/c", false), ("http://localhost.test/c", false),
        ])
    func `A secure cookie is set by and sent to this machine without TLS`(to: String, isSent: Bool) async throws {
        #expect(try await sent(["a=1; Path=/; Secure"], from: to, to: to) == (isSent ? "a=1" : nil))
        let prefixed = try await sent(["__Host-a=1; Path=/; Secure"], from: to, to: to)
        #expect(prefixed == (isSent ? "a=1; __Host-a=1" : nil))
    }

    @Test func `Cookies of equal path length are sent in the order in which they came, behind those of longer paths`()
        async throws
    {
        let names = (0..<40).map { "c\($0)" }.shuffled()
        let fields = names.map { "\($0)=1; Path=/a" }
        let cookie = try await sent(fields + ["long=1; Path=/a/b"], to: "http://host.test/a/b")
        #expect(cookie == (["long"] + names).map { "\($0)=1" }.joined(separator: "; "))
        let plain = try await sent(["first=1; Path=/"], to: "http://host.test/")
        let later = try await sent(["later=1; Path=/"], to: "http://host.test/")
        #expect(plain == "first=1" && later == "first=1; later=1")
    }

    @Test func `A Cookie field has at most 8,190 bytes, and the oldest cookies are left out`() async throws {
        let value = String(repeating: "x", count: 1000)
        let fields = (1...9).map { "c\($0)=\(value); Path=/\($0 == 1 ? "a" : "")" }
        let cookie = try #require(try await sent(fields, to: "http://host.test/a"))
        #expect(cookie.split(separator: "; ").map { $0.prefix(2) } == (2...9).map { "c\($0)" })
        #expect("Cookie: \(cookie)".utf8.count <= 8190)
        // With one byte of room to spare, and with none.
        for (count, isSent) in [(8190 - 8 - 2, true), (8190 - 8 - 1, false)] {
            let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
            let large = HTTPCookie(properties: [
                .name: "a", .value: String(repeating: "x", count: count), .domain: "host.test", .path: "/",
                .discard: "TRUE",
            ])
            storage.setCookie(try #require(large))
            var exchange = HTTPExchange(url: .test("a"))
            storage.addCookies(to: &exchange)
            #expect(exchange.headers.contains("Cookie") == isSent)
        }
    }

    @Test(arguments: [
        ("__Host-a", ".host.test", "/", true), ("__Host-a", "host.test", "/b", true),
        ("__Host-a", "host.test", "/", false), ("__secure-a", "host.test", "/", false),
    ])
    func `A stored cookie that breaks the rule of its name's prefix is not sent`(
        name: String, domain: String, path: String, isSecure: Bool
    ) throws {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: "1", .domain: domain, .path: path, .discard: "TRUE",
        ]
        if isSecure { properties[.secure] = "TRUE" }
        storage.setCookie(try #require(HTTPCookie(properties: properties)))
        var exchange = HTTPExchange(url: try url("https://host.test/b"))
        storage.addCookies(to: &exchange)
        #expect(exchange.headers["Cookie"] == nil)
    }

    @Test func `A cookie among several in as many fields keeps its date`() async throws {
        let fields = ["a=1; Path=/; Expires=Fri, 31 Dec 9999 23:59:59 GMT", "b=2; Path=/", "c=3; Path=/; Max-Age=0"]
        let cookie = try await sent(fields, to: "http://host.test/c")
        #expect(Set((cookie ?? "").split(separator: "; ")) == ["a=1", "b=2"])
    }

    @Test(
        arguments: [
            ("a=1; Path=/; Max-Age=3600", true), ("a=1; Path=/; Max-Age=-1", false),
            ("a=1; Path=/; max-age = 0", false),
            ("a=1; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT", false),
            ("a=1; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=86400", true),
        ])
    func `A cookie is not sent after its time`(field: String, isSent: Bool) async throws {
        #expect(try await sent([field], to: "http://host.test/c") == (isSent ? "a=1" : nil), "\(field)")
    }

    @Test(arguments: [(-1.0, false), (60, true)])
    func `A cookie whose time has passed since it was stored is not sent`(life: Double, isSent: Bool) throws {
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: "a", .value: "1", .domain: "host.test", .path: "/", .expires: Date(timeIntervalSinceNow: life),
        ]
        let cookie = try #require(HTTPCookie(properties: properties))
        #expect(CookieTarget(try url("http://host.test/")).admits(cookie) == isSent)
    }

    @Test func `A cookie goes to the origin that it is for on each hop of a redirect`() async throws {
        store("a=1; Path=/")
        store("b=2; Path=/", from: try url("http://other.test/b"))
        let rig = rig { $0.path == "/a" ? .status(302, ["Location": "http://other.test/b"]) : .ok() }
        await rig.run(.test("a"))
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Cookie"] } == ["a=1", "b=2"])
    }

    @Test(
        arguments: [
            ("http://127.0.0.1/", "a=1; Domain=.0.1", "http://127.0.0.1/", false),
            ("http://127.0.0.1/", "a=1; Domain=0.0.1", "http://128.0.0.1/", false),
            ("http://127.0.0.1/", "a=1; Domain=127.0.0.1", "http://127.0.0.1/", true),
            ("http://127.0.0.1/", "a=1; Domain=127.0.0.1", "http://x.127.0.0.1/", false),
            ("http://[::1]/", "a=1", "http://[::1]/", true),
            ("http://[::1]/", "a=1; Domain=:1", "http://[::1]/", false),
            ("http://a.co.uk/", "a=1; Domain=co.uk", "http://b.co.uk/", false),
            ("http://a.co.uk/", "a=1; Domain=a.co.uk", "http://b.a.co.uk/", true),
            ("http://co.uk/", "a=1; Domain=co.uk", "http://b.co.uk/", false),
            ("http://localhost/", "a=1; Domain=localhost", "http://localhost/", true),
            ("http://localhost/", "a=1; Domain=localhost", "http://a.localhost/", false),
            ("http://a.b.host.test/", "a=1; Domain=host.test", "http://c.host.test/", true),
            ("http://evil.test./", "a=1; Domain=test.", "http://bank.test./", false),
        ])
    func `A cookie is for its host alone if that is an address or a public suffix`(
        from: String, field: String, to: String, isSent: Bool
    ) async throws {
        #expect(try await sent([field + "; Path=/"], from: from, to: to) == (isSent ? "a=1" : nil), "\(field) to \(to)")
    }

    @Test(
        arguments: [
            ("https", "__Host-a=1; Path=/; Secure", true), ("https", "__Host-a=1; Path=/", false),
            ("https", "__Host-a=1; Path=/x; Secure", false), ("https", "__Host-a=1; Secure", false),
            ("https", "__Host-a=1; Path=/; Secure; Domain=host.test", false),
            ("https", "__hOsT-a=1; Path=/", false), ("http", "__Host-a=1; Path=/; Secure", false),
            ("https", "__Secure-a=1; Path=/; Secure", true), ("https", "__Secure-a=1; Path=/", false),
            ("http", "__Secure-a=1; Path=/; Secure", false), ("http", "a=1; Path=/; Secure", false),
        ])
    func `A cookie keeps what its name promises, or is not kept`(scheme: String, field: String, isKept: Bool)
        async throws
    {
        let cookie = try await sent([field], from: "\(scheme)://host.test/a", to: "https://host.test/a")
        #expect((cookie != nil) == isKept, "\(field) over \(scheme)")
    }

    @Test func `A cookie is not split by a comma`() async throws {
        #expect(try await sent(["a=1, b=2; Path=/"], to: "http://host.test/") == "a=1, b=2")
        #expect(try await sent(["c=1; Path=/, d=3"], to: "http://host.test/") == "a=1, b=2")
    }

    @Test func `A cookie that is to last forever ends after 400 days`() throws {
        for field in ["a=1; Max-Age=99999999999999999999", "a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT"] {
            store(field)
            let end = try #require(storage.cookies(for: .test("a"))?.first?.expiresDate)
            #expect(abs(end.timeIntervalSinceNow - 400 * 86_400) < 3600)
        }
    }

    @Test
    func `A proxy's cookie is kept neither from its demand for credentials nor from its answer to CONNECT`() throws {
        let headers: HTTPHeaders = ["Set-Cookie": "a=1; Path=/"]
        let secure = try url("https://host.test/")
        for (status, url, isFromProxy, isKept) in [
            (407, secure, true, false), (200, secure, true, false), (407, URL.test("a"), true, false),
            (200, .test("a"), true, true), (407, .test("a"), false, true), (200, secure, false, true),
        ] {
            var head = ResponseHead(statusCode: status, headers: headers, url: url)
            head.isFromProxy = isFromProxy
            #expect(head.hasCookies == isKept, "\(status) from \(url), proxy: \(isFromProxy)")
        }
    }

    @Test
    func `More than 50 cookies in a response, or one over 4 KB, fail the request and are not stored`() async throws {
        let many = (0...50).map { "a\($0)=1; Path=/" }
        let large = ["b=1; Path=/", "a=\(String(repeating: "x", count: 4096)); Path=/"]
        for fields in [many, large] {
            var headers = HTTPHeaders()
            for field in fields { headers.append(name: "Set-Cookie", value: field) }
            for isOn in [true, false] {
                let rig = rig(isOn: isOn) { [headers] _ in .status(302, headers) }
                let operation = rig.queue.add(.test("a"))
                rig.queue.validation = .none
                await rig.queue.run()
                #expect(operation.error?.code == (isOn ? .badServerResponse : nil))
                #expect(storage.cookies(for: .test("a"))?.isEmpty != false)
            }
        }
        let most = Array(many.dropLast())
        #expect(try await sent(most, to: "http://host.test/")?.split(separator: ";").count == 50)
    }

    @Test func `Cookies beyond 180 of a domain replace those that end first`() throws {
        for batch in 0..<4 {
            var headers = HTTPHeaders()
            for index in 0..<50 {
                headers.append(name: "Set-Cookie", value: "a\(batch)-\(index)=1; Max-Age=\(1000 * (batch + 1))")
            }
            storage.storeCookies(from: ResponseHead(statusCode: 200, headers: headers, url: .test("")))
        }
        let names = try #require(storage.cookies(for: .test(""))).map { $0.name.prefix(2) }
        #expect(names.count == 180 && names.filter { $0 == "a0" }.count == 30)
    }

    @Test func `A cookie that the storage has already is not stored again unless it says something else`() throws {
        store("a=1; Path=/; Max-Age=100000")
        let first = try #require(stored.first)
        store("a=1; Path=/; Max-Age=100000")
        #expect(stored.count == 1 && stored[0] === first)
        for change in [
            "a=1; Path=/; Max-Age=200000", "a=2; Path=/; Max-Age=200000", "a=2; Path=/; HttpOnly; Max-Age=200000",
            "a=2; Path=/",
        ] {
            let former = try #require(stored.first)
            store(change)
            #expect(stored.count == 1 && stored[0] !== former, "\(change)")
        }
        store("a=3; Path=/", "a=2; Path=/")
        #expect(stored.map(\.value) == ["2"])
        store("a=2; Path=/; Max-Age=0")
        #expect(stored.isEmpty)
    }

    @Test func `Cookies beyond 3,000 replace those that end first, whatever their domain`() throws {
        for number in 0..<61 {
            var headers = HTTPHeaders()
            for index in 0..<50 {
                headers.append(name: "Set-Cookie", value: "a\(index)=1; Path=/; Max-Age=\(1000 * (number + 1))")
            }
            let url = try url("http://host\(number).test/")
            storage.storeCookies(from: ResponseHead(statusCode: 200, headers: headers, url: url))
        }
        let cookies = try #require(storage.cookies)
        #expect(cookies.count == 3_000 && !cookies.contains { $0.domain == "host0.test" })
    }

    @Test func `A cookie that came in the clear replaces none that is for https alone`() throws {
        let (secure, plain) = (try url("https://host.test/"), try url("http://host.test/"))
        for (from, field) in [
            (secure, "a=1; Path=/; Secure"), (plain, "a=2; Path=/"), (plain, "a=3; Path=/; Domain=host.test"),
            (plain, "b=4; Path=/"),
        ] { store(field, from: from) }
        #expect(Set(stored.map { "\($0.name)=\($0.value)" }) == ["a=1", "b=4"])
    }
}
