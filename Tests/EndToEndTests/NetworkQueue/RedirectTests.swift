import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RedirectTests {
    private func request(_ url: URL) -> NetworkRequest {
        var request = NetworkRequest(url)
        request.urlRequest.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.urlRequest.setValue("id=secret", forHTTPHeaderField: "Cookie")
        request.urlRequest.setValue("Basic secret", forHTTPHeaderField: "Proxy-Authorization")
        request.urlRequest.setValue("kept", forHTTPHeaderField: "X-Custom")
        return request
    }

    @Test(arguments: TransportKind.allCases)
    func `A redirect to another origin drops credentials, and one within an origin keeps them`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig(kind)
        let other = try LoopbackServer()
        other.serve("/end", .text("end"))
        rig.server.serve("/end", .text("end"))
        rig.server.serve("/away", .redirect(to: other.url("/end").absoluteString))
        rig.server.serve("/here", .redirect(to: "/end"))
        for path in ["/away", "/here"] {
            #expect(await rig.run(request(rig.server.url(path))).data == Data("end".utf8))
        }
        for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
            #expect(other.requests.first?.headers[name] == nil)
            if name != "Proxy-Authorization" { #expect(rig.server.requests.last?.headers[name] != nil) }
        }
        #expect(other.requests.first?.headers["X-Custom"] == "kept")
    }

    @Test(arguments: TransportKind.allCases)
    func `A redirect to another origin drops the credential of the URL and that of the request`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig(kind)
        let other = try LoopbackServer()
        other.serve("/end", .text("end"))
        rig.server.serve("/away", .redirect(to: "http://u:p@127.0.0.1:\(other.port)/end"))
        var components = try #require(URLComponents(url: rig.server.url("/away"), resolvingAgainstBaseURL: false))
        components.user = "user"
        components.password = "word"
        var request = NetworkRequest(try #require(components.url))
        _ = await rig.run(request)
        request = NetworkRequest(rig.server.url("/away"))
        request.credential = URLCredential(user: "user", password: "word", persistence: .none)
        _ = await rig.run(request)
        #expect(rig.server.requests.allSatisfy { $0.headers["Authorization"] == "Basic dXNlcjp3b3Jk" })
        #expect(other.requests.count == 2 && other.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test(arguments: TransportKind.allCases)
    func `A redirect to a relative Location is resolved`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        for (location, path) in [
            ("b", "/dir/b"), ("./b", "/dir/b"), ("../b", "/b"), ("/b", "/b"), ("?q=1", "/dir/a"), ("b#part", "/dir/b"),
            ("//127.0.0.1:\(rig.server.port)/b", "/b"),
        ] {
            rig.server.serve("/dir/a", sequence: [.redirect(to: location), .text("end")])
            if path != "/dir/a" { rig.server.serve(path, .text("end")) }
            let operation = await rig.get("/dir/a")
            #expect(operation.data == Data("end".utf8), "\(location)")
            #expect(operation.responseHead?.url.path() == path && rig.server.requests.last?.path == path)
        }
        #expect(rig.server.requests.contains { $0.query == "q=1" })
    }

    @Test(arguments: TransportKind.allCases)
    func `A redirect in a loop ends as tooManyRedirects`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/loop", .redirect(to: "/loop"))
        let operation = await rig.get("/loop")
        #expect(operation.error?.code == .tooManyRedirects)
        #expect(operation.error?.underlying as? URLError == URLError(.httpTooManyRedirects))
        #expect(rig.server.requestCount("/loop") == 21)
        let redirects = Array(repeating: "redirect /loop", count: 20)
        #expect(rig.recorder.story(of: operation) == ["start"] + redirects + ["fail tooManyRedirects"])
    }

    @Test(arguments: TransportKind.allCases)
    func `Twenty redirects are followed`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        for number in 0..<20 { rig.server.serve("/\(number)", .redirect(to: "/\(number + 1)")) }
        rig.server.serve("/20", .text("end"))
        let operation = await rig.get("/0")
        #expect(operation.data == Data("end".utf8) && operation.metrics?.redirectCount == 20 && operation.attempts == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `A redirect keeps or drops method and body by its status`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/echo", .echo)
        for (status, method, becomes) in [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (301, "PUT", "PUT"),
            (307, "POST", "POST"), (308, "PUT", "PUT"),
        ] {
            rig.server.serve("/from", .redirect(to: "/echo", status: status))
            var request = NetworkRequest(rig.server.url("/from"))
            request.urlRequest.httpMethod = method
            request.urlRequest.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            request.body = .data(Data("body".utf8))
            let echo = try JSONDecoder().decode(Echo.self, from: #require(await rig.run(request).data))
            #expect(echo.method == becomes && echo.bodyLength == (becomes == "GET" ? 0 : 4), "\(status) \(method)")
            #expect(echo.headers.contains { $0[0].lowercased() == "content-type" } == (becomes != "GET"))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A redirect to another scheme or to nowhere is the response itself`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        for location in ["ftp://127.0.0.1/", "file:///etc/hosts", "javascript:1"] {
            rig.server.serve("/from", .redirect(to: location))
            #expect(await rig.get("/from").error?.code == .httpStatus(302), "\(location)")
        }
        rig.server.serve("/none", .status(302))
        let operation = await rig.get("/none")
        #expect(rig.recorder.story(of: operation) == ["start", "head 302", "fail httpStatus(302)"])
    }
}
