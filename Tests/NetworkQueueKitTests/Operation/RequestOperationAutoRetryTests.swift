import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestOperationAutoRetryTests {
    private let rig = QueueRig()
    private let ends = Gathering<String>()

    private func start(
        _ request: NetworkRequest = NetworkRequest(.test("a")), configure: (RequestOperation) -> Void = { _ in }
    ) -> RequestOperation {
        let operation = RequestOperation(request)
        operation.setStandalone(transport: rig.transport, timekeeper: rig.clock)
        operation.completionHandler = { [ends] _, _, error in ends.add(error.map { "\($0.code)" } ?? "ok") }
        operation.autoRetry = true
        configure(operation)
        operation.start()
        return operation
    }

    @Test func `autoRetry repeats a method that is written in lower case`() async {
        let operation = start(NetworkRequest(.test("a"), method: "get"))
        rig.transport.exchanges[0].end(.networkConnectionLost)
        rig.clock.advance(by: .seconds(5))
        rig.transport.exchanges.last?.answer(.ok())
        #expect(await ends.wait(count: 1) == ["ok"] && operation.attempts == 2)
    }

    @Test(arguments: [404, 500, 503]) func `autoRetry repeats no response, whatever its status`(status: Int) async {
        let operation = start()
        rig.transport.exchanges[0].answer(.status(status))
        #expect(operation.error?.code == .httpStatus(status) && rig.clock.scheduledCount == 0)
        #expect(await ends.wait(count: 1) == ["httpStatus(\(status))"])
    }

    @Test func `autoRetryErrorCodes decides about a retry, and is copied`() async {
        var codes: Set<URLError.Code> = [.badServerResponse]
        let operation = start { $0.autoRetryErrorCodes = codes }
        codes.insert(.timedOut)
        #expect(operation.autoRetryErrorCodes == [.badServerResponse])
        rig.transport.exchanges[0].end(.badServerResponse)
        #expect(operation.status == .retrying)
        rig.clock.advance(by: .seconds(5))
        rig.transport.exchanges[1].end(.timedOut)
        #expect(await ends.wait(count: 1) == ["timedOut"])
    }

    @Test(arguments: [Duration.nanoseconds(1), .milliseconds(1), .seconds(3600)])
    func `autoRetry waits for autoRetryDelay before each attempt`(delay: Duration) async {
        let operation = start { $0.autoRetryDelay = delay }
        for attempt in 1...3 {
            rig.transport.exchanges[attempt - 1].end(.timedOut)
            #expect(operation.status == .retrying && rig.clock.scheduledCount == 1)
            rig.clock.advance(by: delay - .nanoseconds(1))
            #expect(rig.transport.counts.started == attempt)
            rig.clock.advance(by: .nanoseconds(1))
            #expect(rig.transport.counts.started == attempt + 1)
        }
        operation.cancel()
    }

    @Test func `A retry starts with an empty buffer, without a head and with its own progress`() async {
        let reports = Gathering<Int64>()
        let operation = start { $0.downloadProgressHandler = { _, bytes, _ in reports.add(bytes) } }
        rig.transport.exchanges[0].receive(headers: ["Content-Length": "10"])
        rig.transport.exchanges[0].receive(Data("lost".utf8))
        #expect(await reports.wait(count: 1) == [4] && operation.responseHead != nil)
        rig.transport.exchanges[0].end(.networkConnectionLost)
        #expect(operation.responseHead == nil && operation.data == nil)
        rig.clock.advance(by: .seconds(5))
        rig.transport.exchanges[1].receive(headers: ["Content-Length": "2"])
        rig.transport.exchanges[1].receive(Data("ok".utf8))
        rig.transport.exchanges[1].end()
        #expect(await ends.wait(count: 1) == ["ok"])
        #expect(operation.data == Data("ok".utf8) && reports.values == [4, 2])
    }

    @Test
    func `autoRetry repeats methods that a policy would not, and takes the place of the request's policy`() async {
        var request = NetworkRequest(.test("a"))
        request.urlRequest.httpMethod = "POST"
        request.retryPolicy = .never
        let operation = start(request)
        rig.transport.exchanges[0].end(.networkConnectionLost)
        #expect(operation.status == .retrying)
        operation.cancel()
    }
}
