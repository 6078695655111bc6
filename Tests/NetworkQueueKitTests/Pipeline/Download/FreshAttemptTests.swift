import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// The attempt that follows content of another size or checksum, past every cache and whatever the retry policy says.
@Suite(.timeLimit(.minutes(10)))
struct FreshAttemptTests {
    private static let checksum = NetworkRequest.Checksum.md5("781E5E245D69B566979B86E28D23F2C7")  // of 0123456789
    private static let right = ScriptedTransport.Answer.ok("0123456789")
    private static let wrong = ScriptedTransport.Answer.ok("012345678X")
    private static let cut = ScriptedTransport.Answer.ok("01234567")

    private func fields(_ rig: QueueRig<NetworkQueue>, _ name: String) -> [String?] {
        rig.transport.exchanges.map { $0.exchange.headers[name] }
    }

    @Test(arguments: [RetryPolicy.never, .standard], [true, false])
    func `Content that does not match is requested once more, without a range and past every cache`(
        policy: RetryPolicy, isSize: Bool
    ) async throws {
        let rig = QueueRig.started { $0.retryPolicy = policy }
        for destination in [rig.request().destination, .memory, .discard] {
            var request = rig.request()
            request.destination = destination
            if isSize { request.expectedDownloadSize = 10 } else { request.expectedChecksum = Self.checksum }
            let operation = await rig.run(request, answers: [isSize ? Self.cut : Self.wrong, Self.right])
            #expect(operation.error == nil && operation.attempts == 2)
        }
        #expect(try rig.folder.read("file") == "0123456789")
        #expect(fields(rig, "Cache-Control") == [nil, "no-cache", nil, "no-cache", nil, "no-cache"])
        #expect(fields(rig, "Range").allSatisfy { $0 == nil })
    }

    @Test func `It is one attempt of an operation, before any mirror`() async throws {
        let rig = QueueRig.started()
        var request = rig.request()
        request.expectedChecksum = Self.checksum
        request.mirrors = [.test("mirror")]
        let operation = await rig.run(request, answers: [Self.wrong, Self.wrong, Self.wrong])
        #expect(operation.error?.code == .contentMismatch && operation.error?.formerFailures.count == 1)
        #expect(rig.transport.exchanges.map(\.exchange.url.lastPathComponent) == ["file", "file", "mirror"])
    }

    @Test func `The policy's retries are left to it, and it goes on from its own part`() async throws {
        let rig = QueueRig.started { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero)) }
        var request = rig.request()
        request.expectedDownloadSize = 10
        let (operation, first) = await rig.start(request)
        first.answer(Self.cut)
        let second = await rig.transport.exchange(1)
        second.receive(headers: ["ETag": "\"v1\"", "Content-Length": "10"])
        second.receive(Data("01234".utf8))
        second.end(.networkConnectionLost)
        await rig.transport.exchange(2).answer(.rest())
        await rig.end(of: operation)
        #expect(operation.error == nil && operation.attempts == 3)
        #expect(fields(rig, "Range") == [nil, nil, "bytes=5-"])
        #expect(fields(rig, "Cache-Control") == [nil, "no-cache", "no-cache"])
    }

    @Test func `A part that does not fit is not used again`() async throws {
        let rig = QueueRig.started()
        var request = rig.request()
        request.expectedChecksum = Self.checksum
        let operation = await rig.resume(request, answers: [.rest("5678X"), Self.right])
        #expect(operation.error == nil && operation.attempts == 2)
        #expect(fields(rig, "Range") == [nil, "bytes=5-", nil])
        #expect(rig.folder.contents == ["file"])
    }

    @Test func `A decider may refuse it, and a POST is not sent twice`() async throws {
        let rig = QueueRig.started()
        var refused = rig.request()
        refused.expectedChecksum = Self.checksum
        refused.retryDecider = .decider { _, _ in .fail }
        var posted = refused
        posted.retryDecider = nil
        posted.method = "POST"
        for request in [refused, posted] {
            let operation = await rig.run(request, answers: [Self.wrong])
            #expect(operation.error?.code == .contentMismatch && operation.attempts == 1)
        }
    }

    @Test func `The log says that all of the content is requested`() async throws {
        let lines = Gathering<String>()
        let rig = QueueRig.started { $0.monitors = [EventLogger { lines.add($0) }] }
        var request = rig.request()
        request.expectedChecksum = Self.checksum
        _ = await rig.run(request, answers: [Self.wrong, Self.right])
        #expect(lines.values.contains { $0.hasSuffix("attempt 2 in 0.0 s, for all of the content") })
    }
}
