import Foundation
import NetworkQueueKit
import Testing

@testable import netqueue

struct JobFailureTests {
    private func refused(_ url: String) throws -> JobFailure {
        let cause = URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: POSIXError(.ECONNREFUSED)])
        let place = try #require(URL(string: url))
        return JobFailure(source: "a", NetworkError(.cannotConnectToHost, underlying: cause, url: place))
    }

    @Test(arguments: [
        ("http://example.com/a", "example.com:80"), ("https://example.com/a", "example.com:443"),
        ("http://example.com:8080/a", "example.com:8080"), ("http://[::1]:8080/a", "[::1]:8080"),
    ])
    func `A refused connection names the port, even if the URL does not`(url: String, place: String) throws {
        let failure = try refused(url)
        #expect(failure.reason == "could not connect to \(place): connection refused")
        #expect(failure.kind == "could not connect: connection refused")
        #expect(failure.code == .connect)
    }

    @Test(
        arguments: [
            (.timedOut, "the request timed out"), (.cannotFindHost, "could not resolve host"),
            (.cannotConnectToHost, "could not connect"), (.connectionLost, "the connection was lost"),
            (.tlsFailure, "could not make a secure connection"), (.adapting, "could not prepare the request"),
            (.tooManyRedirects, "redirected the request too many times"),
            (.authenticationRequired, "requires authentication, and no valid credentials were given"),
            (.badServerResponse, "invalid response"), (.validation, "the response was rejected"),
            (.contentMismatch, "the content does not match"), (.processing, "could not process the response"),
            (.responseTooLarge, "the response is too large"), (.unknown, "the request failed"),
        ] as [(NetworkError.Code, String)])
    func `Failures of several hosts are grouped under what they have in common`(
        code: NetworkError.Code, kind: String
    ) throws {
        for host in ["a.test", "b.test"] {
            let url = try #require(URL(string: "https://\(host)/x"))
            let failure = JobFailure(source: "x", NetworkError(code, url: url))
            #expect(failure.kind == kind && failure.reason.contains(host))
        }
    }

    /// The failure of a request for `url` that was answered with a status.
    private func failure(
        _ status: Int, _ headers: HTTPHeaders = [:], at url: String = "https://a.test/x",
        for request: String = "https://a.test/x", change: (inout NetworkRequest) -> Void = { _ in }
    ) throws -> JobFailure {
        var request = NetworkRequest(try #require(URL(string: request)))
        change(&request)
        let head = ResponseHead(statusCode: status, headers: headers, url: try #require(URL(string: url)))
        let error = NetworkError(.httpStatus(status), response: Response(head: head))
        var failure = JobFailure(source: "x", error)
        failure.explain(error, for: request)
        return failure
    }

    @Test func `A redirect from https to http fails as one that is not followed`() throws {
        let refused = try failure(302, ["Location": "http://a.test/y"])
        #expect(refused.reason == "redirect from https to http, which is not followed")
        #expect(refused.code == .redirects && refused.status == 302)
        #expect(try failure(302, ["Location": "http:///"], at: "http://a.test/").code == .http)
    }

    @Test(arguments: [
        ("/y?signature=1#z", "https://a.test/y"), ("https://me:secret@b.test:8443/y", "https://b.test:8443/y"),
        ("//b.test/z", "https://b.test/z"),
    ])
    func `A redirect that is not followed names its target without secrets`(location: String, target: String) throws {
        let failure = try failure(308, ["Location": location])
        #expect(failure.reason.hasSuffix("; the redirect to \(target) is not followed"))
        #expect(failure.code == .redirects && failure.kind == "redirects are not followed")
        for location in ["", "ftp://a.test/y", "mailto:me"] {
            #expect(try self.failure(302, ["Location": location]).code == .http)
        }
    }

    @Test func `A login that the server cannot use is explained by what it asks for`() throws {
        let bearer = try failure(401, ["WWW-Authenticate": "Bearer"]) { request in
            request.credential = URLCredential(user: "a", password: "b", persistence: .none)
            request.sendsCredentialUnasked = false
        }
        #expect(bearer.reason == "401 Unauthorized; the server accepts neither Basic nor Digest")
        #expect(bearer.kind == "401 Unauthorized")
        let field = try failure(401) { $0.headers["Authorization"] = "Bearer x" }
        #expect(field.reason == "401 Unauthorized; the “Authorization” header field was rejected")
    }

    @Test func `Retries are printed one by one until there are too many for one reason`() throws {
        var lines = RetryLines(limit: 2)
        let url = try #require(URL(string: "http://a.test/"))
        func line(_ name: String, _ reason: String = "503") -> String? {
            lines.line(for: JobFailure(source: name, reason: reason), at: url, after: .seconds(1))
        }
        #expect(line("a") == "a: 503; retrying in 1 s" && line("b") == "b: 503; retrying in 1 s")
        #expect(line("c") == "a.test:80: 503; further retries are not shown")
        #expect(line("c") == nil && line("d") == nil && line("a", "502") == "a: 502; retrying in 1 s")
        #expect(lines.end() == ["a.test:80: 503; 3 more retries of 2 files"])
        #expect(lines.end().isEmpty)
    }

    @Test func `A host that asks for more time than is waited shows both times`() {
        let now = ContinuousClock.now
        let long = HostHold(end: now + .seconds(300), excess: .seconds(3300))
        #expect(long.text(host: "a.test", now: now) == "a.test asks to wait 1 h 0 min; retrying in 5 min 0 s")
        let short = HostHold(end: now + .seconds(12), excess: .zero)
        #expect(short.text(host: "a.test", now: now) == "a.test asks to wait 12 s")
    }
}
