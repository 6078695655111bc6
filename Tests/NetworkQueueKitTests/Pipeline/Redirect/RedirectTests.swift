import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RedirectTests {
    private func target(
        _ status: Int, _ location: String?, method: String = "GET", from url: String = "http://host.test/dir/a?q=1"
    ) throws -> HTTPExchange? {
        let exchange = HTTPExchange(
            url: try #require(URL(string: url)), method: method,
            headers: ["Content-Type": "text/plain", "Content-Language": "de", "Accept": "*/*"],
            body: method == "GET" || method == "HEAD" ? nil : DataBody(data: Data("body".utf8)))
        var headers: HTTPHeaders = [:]
        if let location { headers.append(name: "Location", value: location) }
        let head = ResponseHead(statusCode: status, headers: headers, url: exchange.url)
        return Redirect.target(of: head, for: exchange, policy: .standard)
    }

    @Test(
        arguments: [301, 302, 303, 307, 308], ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"])
    func `A redirect keeps method and content, or becomes a GET without content`(status: Int, method: String) throws {
        let becomesGet =
            switch status {
            case 301, 302: method == "POST"
            case 303: method != "GET" && method != "HEAD"
            default: false
            }
        let target = try #require(try target(status, "/b", method: method))
        #expect(target.method == (becomesGet ? "GET" : method))
        let hadBody = method != "GET" && method != "HEAD"
        #expect((target.body != nil) == (hadBody && !becomesGet))
        #expect(target.headers.contains("Content-Type") == !becomesGet)
        #expect(target.headers.contains("Content-Language") == !becomesGet)
        #expect(target.headers["Accept"] == "*/*")
    }

    @Test(
        arguments: [
            ("b", "http://host.test/dir/b"), ("/b", "http://host.test/b"), ("?x=2", "http://host.test/dir/a?x=2"),
            ("../b", "http://host.test/b"), ("//other.test/b", "http://other.test/b"),
            ("HTTPS://other.test/b", "https://other.test/b"), ("http://host.test", "http://host.test/"),
            ("/sub%20dir/mix [1].txt", "http://host.test/sub%20dir/mix%20%5b1%5d.txt"),
            ("#part", "http://host.test/dir/a?q=1#part"),
            ("http:b", "http://host.test/dir/b"), ("\\b", "http://host.test/b"),
            ("/%2e%2E/b/%", "http://host.test/b/%25"),
        ])
    func `A redirect leads to where its Location says, as seen from its own URL`(location: String, url: String) throws {
        let found = try #require(try target(302, location)?.url.absoluteString)
        #expect(found.lowercased() == url)
    }

    @Test(arguments: [
        // An empty reference means the document itself, which would be a loop at best.
        nil, "", "ftp://host.test/b", "file:///etc/passwd", "javascript:alert(1)", "http://", "mailto:a@b", "//",
        "http://a b/",
        "http://host.test:65536/", "http://host.test:x/", "//[::1", "//m\u{FC}nchen.test/b",
    ])
    func `A redirect that leads nowhere is the response`(location: String?) throws {
        #expect(try target(302, location) == nil)
    }

    @Test func `A redirect leads to the bytes of its Location, in whatever encoding`() throws {
        let exchange = HTTPExchange(url: .test("a"))
        let line: [UInt8] = Array("Location:/caf".utf8) + [0xE9, 0x3F, 0xC3, 0xA9, 0x0A]
        let headers = line.withUnsafeBytes { HTTPHeaders(storedLines: $0) }
        let head = ResponseHead(statusCode: 302, headers: headers, url: exchange.url)
        let target = try #require(Redirect.target(of: head, for: exchange, policy: .standard))
        #expect(target.url.absoluteString == "http://host.test/caf%E9?%C3%A9")
    }

    @Test(arguments: [200, 300, 304, 305, 306, 399, 404])
    func `A redirect has one of five statuses`(status: Int) throws {
        #expect(try target(status, "/b") == nil)
    }

    private func chain(_ count: Int) -> ScriptedTransport {
        ScriptedTransport { exchange in
            let number = Int(exchange.path.dropFirst()) ?? 0
            return number == count ? .ok() : .status(302, ["Location": "/\(number + 1)"])
        }
    }

    @Test(arguments: [20, 1, 5])
    func `A redirect is followed 20 times at most, or as often as the policy says`(count: Int) async {
        for isTooLong in [false, true] {
            let rig = QueueRig(chain(isTooLong ? count + 1 : count)) {
                $0.retryPolicy = .immediate(3)
                if count != 20 { $0.redirectPolicy.maximumCount = count }
            }
            let operation = await rig.run(.test("0"))
            #expect(operation.error?.code == (isTooLong ? .tooManyRedirects : nil) && operation.attempts == 1)
            #expect(rig.transport.exchanges.count == count + 1)
            if !isTooLong { #expect(operation.metrics?.redirectCount == count) }
            if !isTooLong { #expect(operation.responseHead?.url.path() == "/\(count)") }
        }
    }

    @Test func `A redirect is the response if the policy is never to follow`() async {
        let rig = QueueRig(
            chain(3),
            configure: {
                $0.redirectPolicy = .never
                $0.cancelsAllOnFailure = false
            })
        var wanted = NetworkRequest(.test("0"))
        wanted.validation = ResponseValidation.none
        let operations = [rig.queue.add(wanted), rig.queue.add(.test("0"))]
        await rig.queue.run()
        #expect(operations[0].responseHead?.statusCode == 302 && operations[0].error == nil)
        #expect(operations[1].error?.code == .httpStatus(302))
        #expect(!rig.recorder.events.contains { $0.kind == .willRedirect })
    }

    @Test(arguments: [
        ("https://host.test/a", "http://host.test/b", true), ("https://host.test/a", "HTTP://host.test:443/b", true),
        ("https://host.test/a", "http://other.test", true), ("http://host.test/a", "https://host.test/b", false),
    ])
    func `A redirect from https to http is the response unless the policy allows it`(
        from: String, to: String, isInsecure: Bool
    ) async throws {
        let url = try #require(URL(string: from))
        for isAllowed in [false, true] {
            let rig = QueueRig(ScriptedTransport { $0.url == url ? .status(302, ["Location": to]) : .ok() }) {
                $0.redirectPolicy.allowsInsecureTarget = isAllowed
            }
            let operation = await rig.run(url)
            #expect(operation.error?.code == (isAllowed || !isInsecure ? nil : .httpStatus(302)))
        }
    }

    @Test func `A redirect of a size probe is followed as HEAD, without asking the delegate`() async {
        let rig = QueueRig(
            ScriptedTransport { $0.path == "/a" ? .status(303, ["Location": "/b"]) : .ok(Data(count: 9)) }
        ) { $0.showsAccurateProgress = true }
        await rig.run(.test("a"))
        #expect(rig.transport.exchanges.map { $0.exchange.method + $0.path } == ["HEAD/a", "HEAD/b", "GET/a", "GET/b"])
        #expect(rig.recorder.events.count { $0.kind == .willRedirect } == 1)
    }
}
