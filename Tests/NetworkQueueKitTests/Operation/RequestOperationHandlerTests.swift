import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestOperationHandlerTests {
    private struct Report: Sendable, Equatable {
        var fraction: Double?
        var bytes: Int64
        var total: Int64?
    }

    struct Outcome: Sendable, Equatable {
        var status: Int?
        var text: String?
        var code: NetworkError.Code?
        var beneath: URLError.Code?
    }

    private let transport = ScriptedTransport()
    private let clock = ManualClock()
    private let outcomes = Gathering<Outcome>()
    private let downloads = Gathering<Report>()
    private let uploads = Gathering<Report>()

    private func start(_ request: NetworkRequest = NetworkRequest(.test("a"))) -> RequestOperation {
        let operation = RequestOperation(request)
        operation.setStandalone(transport: transport, timekeeper: clock)
        operation.completionHandler = { [outcomes] head, data, error in
            let text = data.map { String(decoding: $0, as: UTF8.self) }
            let beneath = (error?.underlying as? URLError)?.code
            outcomes.add(Outcome(status: head?.statusCode, text: text, code: error?.code, beneath: beneath))
        }
        operation.downloadProgressHandler = { [downloads] in downloads.add(Report(fraction: $0, bytes: $1, total: $2)) }
        operation.uploadProgressHandler = { [uploads] in uploads.add(Report(fraction: $0, bytes: $1, total: $2)) }
        operation.start()
        return operation
    }

    /// What happens to an operation, and what its handler gets.
    enum End: CaseIterable {
        case success, failureBeforeTheResponse, failureInTheContent, rejectedStatus, cancellation

        var outcome: Outcome {
            switch self {
            case .success: Outcome(status: 200, text: "fine")
            case .failureBeforeTheResponse: Outcome(code: .cannotConnectToHost, beneath: .cannotConnectToHost)
            case .failureInTheContent: Outcome(status: 200, code: .connectionLost, beneath: .networkConnectionLost)
            case .rejectedStatus: Outcome(status: 404, text: "no such thing", code: .httpStatus(404))
            case .cancellation: Outcome(status: 200, code: .cancelled, beneath: .cancelled)
            }
        }
    }

    @Test(arguments: End.allCases)
    func `The completion handler gets the head, the content and the error that there are`(end: End) async {
        let operation = start()
        let exchange = transport.exchanges[0]
        switch end {
        case .success: exchange.answer(.ok(Data("fine".utf8)))
        case .failureBeforeTheResponse: exchange.end(.cannotConnectToHost)
        case .failureInTheContent:
            exchange.receive(headers: ["Content-Length": "10"])
            exchange.receive(Data("half".utf8))
            exchange.end(.networkConnectionLost)
        case .rejectedStatus:
            exchange.answer(.respond(status: 404, headers: [:], body: Data("no such thing".utf8)))
        case .cancellation:
            exchange.receive()
            operation.cancel()
        }
        #expect(await outcomes.wait(count: 1) == [end.outcome])
        #expect(operation.responseHead?.statusCode == end.outcome.status)
        #expect(operation.error?.operationID == (end == .success ? nil : operation.id))
    }

    @Test func `Download progress goes from more than 0 to 1, with the bytes so far and the total`() async {
        _ = start()
        transport.exchanges[0].receive(headers: ["Content-Length": "8"])
        for count in 1...4 {
            transport.exchanges[0].receive(Data(count: 2))
            clock.advance(by: .milliseconds(4))
            _ = await downloads.wait(count: count)
        }
        transport.exchanges[0].end()
        _ = await outcomes.wait(count: 1)
        #expect(
            downloads.values == [
                Report(fraction: 0.25, bytes: 2, total: 8), Report(fraction: 0.5, bytes: 4, total: 8),
                Report(fraction: 0.75, bytes: 6, total: 8), Report(fraction: 1, bytes: 8, total: 8),
            ])
        #expect(uploads.values.isEmpty)
    }

    @Test func `Progress comes at once, then every 4 ms by the clock, and before the end`() async {
        _ = start()
        let exchange = transport.exchanges[0]
        exchange.receive(headers: ["Content-Length": "8"])
        exchange.receive(Data(count: 2))
        _ = await downloads.wait(count: 1)
        exchange.receive(Data(count: 2))
        #expect(downloads.values.count == 1 && clock.scheduledCount == 1)
        clock.advance(by: .milliseconds(4))
        #expect(await downloads.wait(count: 2).last?.bytes == 4)
        exchange.receive(Data(count: 4))
        exchange.end()
        _ = await outcomes.wait(count: 1)
        #expect(downloads.values.map(\.bytes) == [2, 4, 8])
    }

    @Test(arguments: [HTTPHeaders(), ["Transfer-Encoding": "chunked"]])
    func `The fraction and the total of progress are nil if the total is unknown`(headers: HTTPHeaders) async {
        _ = start()
        transport.exchanges[0].receive(headers: headers)
        transport.exchanges[0].receive(Data(count: 5))
        #expect(await downloads.wait(count: 1) == [Report(fraction: nil, bytes: 5, total: nil)])
        transport.exchanges[0].end()
        _ = await outcomes.wait(count: 1)
        #expect(downloads.values.count == 1)
    }

    @Test func `No content means no progress, and no division by zero`() async {
        var request = NetworkRequest(.test("a"))
        request.urlRequest.httpMethod = "POST"
        request.urlRequest.httpBody = Data()
        _ = start(request)
        transport.exchanges[0].send(0)
        transport.exchanges[0].answer(.ok())
        _ = await outcomes.wait(count: 1)
        #expect(downloads.values.isEmpty)
        #expect(uploads.values.allSatisfy { $0.fraction == nil && $0.bytes == 0 })
    }

    @Test func `Upload progress counts the bytes of the content that have been sent`() async {
        var request = NetworkRequest(.test("a"))
        request.urlRequest.httpMethod = "PUT"
        request.body = .data(Data(count: 100))
        _ = start(request)
        for (count, sent) in [Int64(25), 50, 100].enumerated() {
            transport.exchanges[0].send(sent)
            clock.advance(by: .milliseconds(4))
            _ = await uploads.wait(count: count + 1)
        }
        transport.exchanges[0].answer(.ok())
        _ = await outcomes.wait(count: 1)
        #expect(uploads.values.map(\.fraction) == [0.25, 0.5, 1] && uploads.values.allSatisfy { $0.total == 100 })
    }

    @Test func `The content of a rejected response is not reported as progress`() async {
        _ = start()
        transport.exchanges[0].receive(status: 500, headers: ["Content-Length": "4"])
        transport.exchanges[0].receive(Data("oops".utf8))
        transport.exchanges[0].end()
        _ = await outcomes.wait(count: 1)
        #expect(downloads.values.isEmpty)
    }

    @Test func `An object that a handler owns may ask the operation something when it is released`() async {
        let operation = RequestOperation(.get(.test("a")))
        operation.setStandalone(transport: transport, timekeeper: ManualClock())
        let answers = Gathering<RequestOperation.Status?>()
        // The first three are let go of when the others take their places.
        for number in 0..<6 {
            let owned = Farewell { [weak operation] in answers.add(operation?.status) }
            switch number % 3 {
            case 0: operation.completionHandler = { _, _, _ in withExtendedLifetime(owned) {} }
            case 1: operation.downloadProgressHandler = { _, _, _ in withExtendedLifetime(owned) {} }
            default: operation.uploadProgressHandler = { _, _, _ in withExtendedLifetime(owned) {} }
            }
        }
        #expect(answers.values == [.waiting, .waiting, .waiting])
        operation.start()
        transport.exchanges[0].answer(.ok())
        #expect(await answers.wait(count: 6).suffix(3) == [.finished, .finished, .finished])
    }
}
