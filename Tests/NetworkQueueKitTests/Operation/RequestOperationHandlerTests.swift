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

    private struct Outcome: Sendable {
        var status: Int?
        var text: String?
        var error: NetworkError?
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
            outcomes.add(Outcome(status: head?.statusCode, text: text, error: error))
        }
        operation.downloadProgressHandler = { [downloads] in downloads.add(Report(fraction: $0, bytes: $1, total: $2)) }
        operation.uploadProgressHandler = { [uploads] in uploads.add(Report(fraction: $0, bytes: $1, total: $2)) }
        operation.start()
        return operation
    }

    @Test func `The completion handler gets no error after a success`() async {
        _ = start()
        transport.exchanges[0].answer(.ok(Data("fine".utf8)))
        let outcome = await outcomes.wait(count: 1)[0]
        #expect(outcome.status == 200 && outcome.text == "fine" && outcome.error == nil)
    }

    @Test func `The completion handler gets neither head nor data after a failure before the response`() async {
        _ = start()
        transport.exchanges[0].end(.cannotConnectToHost)
        let outcome = await outcomes.wait(count: 1)[0]
        #expect(outcome.status == nil && outcome.text == nil && outcome.error?.code == .cannotConnectToHost)
        #expect((outcome.error?.underlying as? URLError)?.code == .cannotConnectToHost)
    }

    @Test func `The completion handler gets the head after a failure in the middle of the content`() async {
        let operation = start()
        transport.exchanges[0].receive(headers: ["Content-Length": "10"])
        transport.exchanges[0].receive(Data("half".utf8))
        transport.exchanges[0].end(.networkConnectionLost)
        let outcome = await outcomes.wait(count: 1)[0]
        #expect(outcome.status == 200 && outcome.error?.code == .connectionLost)
        #expect(operation.responseHead?.statusCode == 200 && operation.error?.operationID == operation.id)
    }

    @Test func `The completion handler gets both head and data after a rejected status`() async {
        _ = start()
        transport.exchanges[0].answer(.respond(status: 404, headers: [:], body: Data("no such thing".utf8)))
        let outcome = await outcomes.wait(count: 1)[0]
        #expect(outcome.status == 404 && outcome.text == "no such thing" && outcome.error?.code == .httpStatus(404))
        #expect(outcome.error?.underlying == nil)
    }

    @Test func `The completion handler gets the error of a cancellation, with URLError's code beneath`() async {
        let operation = start()
        transport.exchanges[0].receive()
        operation.cancel()
        let outcome = await outcomes.wait(count: 1)[0]
        #expect(outcome.error?.code == .cancelled && outcome.text == nil)
        #expect((outcome.error?.underlying as? URLError)?.code == .cancelled)
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
