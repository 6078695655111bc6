import Foundation
import NetworkQueueKit
import Testing

@testable import netqueue

struct NetrcChallengeTests {
    /// The user that answers a demand from `url`, for a request to `http://a.test/`.
    private func user(
        from url: String, isProxy: Bool = false, failures: Int = 0
    ) throws -> String? {
        let monitor = JobMonitor(
            output: CommandOutput(Options(), display: SilentDisplay()),
            decoration: RequestDecoration(
                netrc: Netrc(text: "machine a.test login one password 1\nmachine b.test login two password 2")))
        let url = try #require(URL(string: url))
        let answer = Locked<String?>(nil)
        monitor.networkQueue(
            NetworkQueue(),
            didReceive: AuthenticationChallenge(
                scheme: .basic, realm: "x", url: url, isProxy: isProxy, previousFailureCount: failures,
                response: ResponseHead(statusCode: 401, headers: [:], url: url)),
            for: RequestOperation(NetworkRequest(try #require(URL(string: "http://a.test/"))))
        ) { credential in answer.withLock { $0 = credential?.user } }
        return answer.withLock { $0 }
    }

    @Test(
        arguments: [
            ("http://b.test/", "two"), ("https://a.test/", "one"), ("http://a.test:81/", "one"),
            ("http://c.test/", nil),
            ("http://a.test/x", nil),
        ] as [(String, String?)])
    func `The netrc answers every origin except that of the request`(url: String, user: String?) throws {
        #expect(try self.user(from: url) == user)
    }

    @Test func `The netrc answers neither a proxy nor a second demand`() throws {
        #expect(try user(from: "http://b.test/", isProxy: true) == nil)
        #expect(try user(from: "http://b.test/", failures: 1) == nil)
    }
}
