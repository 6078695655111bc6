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
