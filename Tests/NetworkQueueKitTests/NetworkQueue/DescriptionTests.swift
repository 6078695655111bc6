import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// Texts for logs and debuggers: where something stands, at a glance.
@Suite(.timeLimit(.minutes(10)))
struct DescriptionTests {
    /// With a secret in every place that may have one, and control characters in its method by default.
    private func plantedRequest(_ method: String = "GE\r\n\u{1B}T") throws -> NetworkRequest {
        let url = try #require(URL(string: "http://\(PlantedSecret.userInformation[0])@host.test/a"))
        var request = NetworkRequest(url, method: method)
        request.headers["Authorization"] = PlantedSecret.basic
        request.headers["Cookie"] = "id=\(PlantedSecret.word)"
        return request
    }

    private func isOneLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    @Test func `The description of an operation tells number, method, URL, status and attempt`() async {
        let rig = QueueRig(configure: {
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(1)))
        })
        let operation = rig.queue.add(.test("a"))
        #expect(operation.description == "\(operation.id) GET http://host.test/a, waiting")
        rig.queue.go()
        await rig.transport.exchange(0).end(.timedOut)
        #expect(operation.description == "\(operation.id) GET http://host.test/a, retrying, attempt 1")
        await rig.clock.waitForScheduledCalls(1)
        rig.advance(by: .seconds(1))
        let exchange = await rig.transport.exchange(1)
        #expect("\(operation)" == "\(operation.id) GET http://host.test/a, running, attempt 2")
        exchange.answer(.status(404))
        await rig.recorder.waitForDrain()
        #expect("\(operation)" == "\(operation.id) GET http://host.test/a, failed (httpStatus(404)), attempt 2")
    }

    @Test
    func `The description of a RequestQueue tells its running and waiting requests, limit and suspension`() async {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 2 }
        #expect("\(rig.queue)" == "RequestQueue: 0 of 2 running, 0 waiting")
        rig.add(all: ["a", "b", "c"])
        #expect("\(rig.queue)" == "RequestQueue: 2 of 2 running, 1 waiting")
        rig.queue.isSuspended = true
        rig.queue.maxConcurrentRequestCount = 0
        #expect("\(rig.queue)" == "RequestQueue: 2 running (no limit), 1 waiting, suspended")
        rig.queue.cancelAll()
    }

    @Test func `The description of a NetworkQueue tells its progress, too, and whether it has been started`() async {
        let rig = QueueRig(configure: { $0.maxConcurrentRequestCount = 2 })
        rig.add(3)
        #expect("\(rig.queue)" == "NetworkQueue: 0 of 2 running, 3 waiting, 0 %, not started")
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.queue.isSuspended = true
        rig.transport.exchanges[0].answer(.ok())
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
        #expect("\(rig.queue)" == "NetworkQueue: 1 of 2 running, 1 waiting, 33 %, suspended")
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        rig.queue.isSuspended = false
        #expect("\(rig.queue)" == "NetworkQueue: 0 of 2 running, 0 waiting, 100 %")
    }

    @Test func `The description of a summary tells counts, time and the first failure`() async {
        let rig = QueueRig()
        let operations = rig.add(2)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.advance(by: .milliseconds(1_240))
        rig.transport.exchanges[0].answer(.fail(.timedOut))
        await rig.recorder.waitForDrain()
        #expect(
            rig.recorder.summaries.first?.description
                == "0 finished, 1 failed, 1 cancelled in 1.2 s, 0 bytes received, 0 bytes sent; "
                + "first failure: \(operations[0])")
    }

    @Test func `Descriptions are one line without secrets and control characters`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .fail(.timedOut) }) { $0.cancelsAllOnFailure = false }
        let operation = rig.queue.add(try plantedRequest())
        let before: [Any] = [operation, rig.queue]
        for value in before { #expect(isOneLine("\(value)") && PlantedSecret.traces(in: value).isEmpty) }
        let sent = rig.queue.add(try plantedRequest("GET"))
        let summary = await rig.queue.run()
        for value in [operation, rig.queue, summary] as [Any] {
            #expect(isOneLine("\(value)") && PlantedSecret.traces(in: value).isEmpty, "\(value)")
        }
        let error = try #require(sent.error)
        #expect(error.url == .test("a") && error.description.contains("host.test"))
        for value in [error, sent, sent.request, error.localizedDescription, "\(error as NSError)"] as [Any] {
            #expect(PlantedSecret.traces(in: value).isEmpty, "\(value)")
        }
        let queue = RequestQueue(transport: ScriptedTransport())
        queue.isSuspended = true
        queue.add(try plantedRequest())
        #expect(isOneLine("\(queue)") && PlantedSecret.traces(in: queue).isEmpty)
    }
}
