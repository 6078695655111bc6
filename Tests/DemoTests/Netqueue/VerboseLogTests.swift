import Foundation
import NetworkQueueKit
import Testing

@testable import netqueue

struct VerboseLogTests {
    private let display = RecordingDisplay()

    private func request() throws -> NetworkRequest {
        var request = NetworkRequest(try #require(URL(string: "http://h.test/a")))
        request.tag = "a"
        return request
    }

    @Test(arguments: [
        (false, 0, "401, asks for credentials (Basic, “a realm”)"),
        (false, 1, "401, asks again for credentials (Basic, “a realm”)"),
        (true, 0, "407, the proxy asks for credentials (Digest, “a realm”)"),
        (true, 2, "407, the proxy asks again for credentials (Digest, “a realm”)"),
    ])
    func `A demand for credentials names its status, scheme and realm`(isProxy: Bool, failures: Int, text: String)
        throws
    {
        let request = try request()
        let head = ResponseHead(statusCode: isProxy ? 407 : 401, headers: [:], url: request.url)
        let challenge = AuthenticationChallenge(
            scheme: isProxy ? .digest : .basic, realm: "a realm", url: request.url, isProxy: isProxy,
            previousFailureCount: failures, response: head)
        VerboseLog(display: display).receive(.challenge(challenge, for: request))
        #expect(display.lines == ["< a: \(text)".fitting(.current)])
    }

    @Test func `A redirect names its status and its target, without a password`() throws {
        let request = try request()
        let target = try #require(URL(string: "http://me:secret@other.test/b"))
        VerboseLog(display: display).receive(
            .redirect(request, to: target, after: ResponseHead(statusCode: 308, headers: [:], url: request.url)))
        #expect(display.lines == ["< a: 308, redirects to http://other.test/b"])
    }

    @Test(arguments: [false, true])
    func `A retry has one line, by the log or by the display`(displayTells: Bool) throws {
        let display = RecordingDisplay(tellsOfRetries: displayTells)
        VerboseLog(display: display).receive(
            .retry(
                RequestOperation(try request()), after: .milliseconds(1960),
                because: JobFailure(source: "a", reason: "503 Service Unavailable"), attempts: 1))
        #expect(display.lines == (displayTells ? [] : ["a: 503 Service Unavailable; retrying in 2 s"]))
    }
}
