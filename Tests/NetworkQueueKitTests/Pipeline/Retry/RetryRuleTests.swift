import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RetryRuleTests {
    private func rig(_ policy: RetryPolicy) -> QueueRig<NetworkQueue> {
        QueueRig {
            $0.retryPolicy = policy
            $0.cancelsAllOnFailure = false
        }
    }

    @Test func `A POST is retried only if nothing was sent or its policy says so`() async {
        for (code, methods, attempts) in [
            (URLError.Code.networkConnectionLost, RetryPolicy.idempotentMethods, 1),
            (.cannotConnectToHost, RetryPolicy.idempotentMethods, 3), (.networkConnectionLost, ["POST"], 3),
        ] {
            var policy = RetryPolicy.immediate(2)
            policy.methods = methods
            let rig = rig(policy)
            rig.transport.setScript { _ in .fail(code) }
            let operation = await rig.run(
                .test("a") {
                    $0.method = "POST"
                })
            #expect(operation.attempts == attempts, "\(code) \(methods)")
        }
    }

    @Test func `A retry starts with nothing of the failed attempt's content, whatever its destination`() async throws {
        let folder = try TemporaryFolder()
        let rig = rig(.immediate(1))
        var toFile = NetworkRequest(.test("file"))
        toFile.destination = .file(folder.file("f"), resumes: false)
        let operations = [rig.queue.add(.test("memory")), rig.queue.add(toFile)]
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        for exchange in rig.transport.exchanges {
            exchange.receive(headers: ["Content-Length": "100"])
            exchange.receive(Data("to be lost".utf8))
            exchange.end(.networkConnectionLost)
        }
        await rig.transport.waitForExchanges(4)
        for exchange in rig.transport.exchanges.dropFirst(2) { exchange.answer(.ok("whole")) }
        await rig.recorder.waitForDrain()
        #expect(operations[0].data == Data("whole".utf8))
        #expect(try folder.read("f") == "whole")
        #expect(folder.contents == ["f"])
        #expect(rig.queue.progress.download.transferred == 10)
    }

    @Test func `A retry waits as long as the server asks, not as the backoff says`() async {
        let rig = rig(RetryPolicy(maxRetries: 3, backoff: .constant(.seconds(7))))
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        for (number, header) in ["3", "garbage", "999999999999"].enumerated() {
            await rig.transport.exchange(number).answer(.status(429, ["Retry-After": header]))
            await rig.waitForRetries(number + 1)
            rig.advance(by: .seconds(300))
        }
        await rig.transport.exchange(3).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.retryDelays == [.seconds(3), .seconds(7), .seconds(300)])
        #expect(operation.attempts == 4)
    }

    @Test(
        arguments: [
            URLError.Code.serverCertificateUntrusted, .secureConnectionFailed, .badURL, .unsupportedURL, .cancelled,
        ])
    func `A retry is not made after a lasting failure, even if the policy says so`(code: URLError.Code) async {
        var policy = RetryPolicy.immediate(3)
        policy.errorCodes.insert(code)
        let rig = rig(policy)
        rig.transport.setScript { _ in .fail(code) }
        let operation = await rig.run(.test("a"))
        #expect(operation.attempts == 1)
    }
}

extension HTTPExchange {
    /// All of the content that is sent.
    var content: Data {
        get throws { try body?.allBytes(chunk: 4096) ?? Data() }
    }
}
