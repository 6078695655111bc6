import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

struct RetryPolicyTests {
    private let policy = RetryPolicy(maxRetries: 2, backoff: .constant(.seconds(1)))

    private func retries(_ policy: RetryPolicy, after error: NetworkError, of method: String = "GET", retry: Int = 1)
        -> Bool
    {
        policy.delay(beforeRetry: retry, of: method, after: error) != nil
    }

    @Test func `A GET for the first byte is not retried unless its own policy says so`() async {
        let rig = QueueRig(ScriptedTransport { _ in .status(503) }, configure: { $0.retryPolicy = .immediate(2) })
        let plain = rig.queue.add(NetworkRequest.firstByte(of: .test("a")))
        var request = NetworkRequest.firstByte(of: .test("b"))
        request.retryPolicy = .immediate(1)
        let own = rig.queue.add(request)
        rig.queue.cancelsAllOnFailure = false
        await rig.queue.run()
        #expect(plain.attempts == 1 && own.attempts == 2)
    }

    @Test
    func `The policy .never repeats nothing`() {
        #expect(!retries(.never, after: NetworkError(URLError(.timedOut))))
    }

    @Test
    func `The number of retries is bounded`() {
        let error = NetworkError(URLError(.timedOut))
        #expect((1...4).map { retries(policy, after: error, retry: $0) } == [true, true, false, false])
    }

    @Test(arguments: [
        URLError.Code.timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
        .networkConnectionLost,
    ])
    func `Failures of a poor or missing connection are repeated`(code: URLError.Code) {
        #expect(retries(policy, after: NetworkError(URLError(code))))
    }

    @Test(arguments: [
        URLError.Code.cancelled, .badURL, .unsupportedURL, .serverCertificateUntrusted, .badServerResponse,
        .httpTooManyRedirects, .dataLengthExceedsMaximum,
    ])
    func `Failures that would only repeat themselves are not repeated`(code: URLError.Code) {
        #expect(!retries(policy, after: NetworkError(URLError(code))))
    }

    @Test
    func `A lack of descriptors for a connection or a file is repeated, unless the policy excludes it`() {
        var strict = policy
        strict.errorCodes.remove(.resourceUnavailable)
        let errors: [NetworkError] = [
            NetworkError(URLError(.resourceUnavailable)), .fileSystem(EMFILE, path: "/a"),
            .fileSystem(ENFILE, path: "/a"), BodyFile.error(EMFILE, URL(filePath: "/a")),
        ]
        for error in errors {
            #expect(error.code == .resourceShortage)
            #expect(retries(policy, after: error) && !retries(strict, after: error))
            #expect(!retries(policy, after: error, of: "POST"))
        }
    }

    @Test
    func `Statuses that may pass are repeated, others are not`() {
        let repeated = (100..<600).filter { retries(policy, after: NetworkError(.httpStatus($0))) }
        #expect(repeated == [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524])
    }

    @Test
    func `Only the standard policy bears outages, and policies that differ in that are not equal`() {
        var standard = RetryPolicy.standard
        #expect(standard.outageTolerance == .seconds(30))
        #expect(policy.outageTolerance == nil && RetryPolicy.never.outageTolerance == nil)
        standard.outageTolerance = nil
        #expect(standard != .standard && Set([standard, .standard]).count == 2)
    }

    @Test
    func `Idempotent methods are repeated, in any letter case, and others only if nothing was sent`() {
        let lost = NetworkError(URLError(.networkConnectionLost))
        let unsent = NetworkError(URLError(.cannotConnectToHost))
        for method in ["GET", "head", "Put", "DELETE", "OPTIONS", "TRACE"] {
            #expect(retries(policy, after: lost, of: method))
        }
        for method in ["POST", "PATCH", "BREW"] {
            #expect(!retries(policy, after: lost, of: method))
            #expect(retries(policy, after: unsent, of: method))
        }
        var willing = policy
        willing.methods.insert("POST")
        #expect(retries(willing, after: lost, of: "POST"))
    }
}
