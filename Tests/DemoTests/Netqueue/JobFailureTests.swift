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
}
