import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What becomes of a body over the attempts of one operation, with a transport that tells nothing of its failures.
@Suite(.timeLimit(.minutes(10)))
struct RunBodyTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let rig = QueueRig(configure: {
        $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.seconds(1)))
    })

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write(Data(repeating: 1, count: 5000), to: "file")
    }

    private func put(_ body: RequestBody) -> RequestOperation {
        var request = NetworkRequest(.test("a"))
        request.urlRequest.httpMethod = "PUT"
        request.body = body
        return rig.queue.add(request)
    }

    private func sendAll(_ exchange: ScriptedExchange) throws {
        let body = try #require(exchange.exchange.body)
        #expect(try body.allBytes(chunk: 1000).count == 5000)
        exchange.send(5000)
    }

    @Test func `An operation's body is closed at the end of each exchange and is the same in the next`() async throws {
        let operation = put(.file(file))
        rig.queue.go()
        for number in 0..<3 {
            let exchange = await rig.transport.exchange(number)
            #expect(exchange.exchange.headers["Content-Type"] == "application/octet-stream")
            try sendAll(exchange)
            #expect(openDescriptors(of: file) == 1)
            #expect(rig.queue.progress.upload == .init(transferred: 5000, expected: 5000))
            exchange.end(number < 2 ? .networkConnectionLost : .badServerResponse)
            #expect(openDescriptors(of: file) == 0)
            if number < 2 {
                await rig.recorder.wait { events in events.count { $0.kind == .willRetry } > number }
                #expect(rig.queue.progress.upload == .init(transferred: 0, expected: 5000))
                rig.advance(by: .seconds(1))
            }
        }
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .badServerResponse)
    }

    @Test func `A file that changes between two attempts is not sent again`() async throws {
        let operation = put(.file(file))
        rig.queue.go()
        let first = await rig.transport.exchange(0)
        try sendAll(first)
        first.end(.networkConnectionLost)
        await rig.waitForRetries(1)
        try touch(file, at: 1_000_000)
        rig.advance(by: .seconds(1))
        let second = await rig.transport.exchange(1)
        let body = try #require(second.exchange.body)
        #expect(throws: CocoaError.self) { try body.allBytes(chunk: 1000) }
        // What the transport says of it would be worth another attempt.
        second.end(.networkConnectionLost)
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .bodyUnavailable)
        #expect(operation.error?.underlying is CocoaError)
        #expect(operation.attempts == 2)
        #expect(rig.transport.counts.started == 2)
        #expect(rig.queue.progress.upload.transferred == 0)
    }

    @Test func `A failed read is forgotten with its exchange and does not outdo a response`() async throws {
        let operation = put(.file(file))
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        try FileManager.default.removeItem(at: file)
        let body = try #require(exchange.exchange.body)
        #expect(throws: NetworkError.self) { try body.allBytes(chunk: 1000) }
        exchange.receive(status: 413)
        exchange.end(.networkConnectionLost)
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .httpStatus(413))
    }

    @Test func `Cancelling closes the operation's body`() async throws {
        put(.file(file)).completionHandler = nil
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        try sendAll(exchange)
        #expect(openDescriptors(of: file) == 1)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        #expect(openDescriptors(of: file) == 0)
    }
}
