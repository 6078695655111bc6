import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EndpointSendTests {
    @Test(arguments: QueueKind.allCases)
    func `Sending an endpoint returns its value after the endpoint has handled it`(kind: QueueKind) async throws {
        let rig = QueueRig(kind, answering: "fine")
        for number in 0..<100 {
            let endpoint = RecordedEndpoint(url: .test("\(number)"))
            #expect(try await rig.queue.send(endpoint) == "fine")
            #expect(endpoint.calls.values == ["(makeRequest)", "(parse)", "handle fine"])
        }
    }

    @Test(arguments: QueueKind.allCases)
    func `Sending an endpoint throws its own error after the endpoint has handled it`(kind: QueueKind) async {
        let rig = QueueRig(kind, answering: "gone", status: 410)
        let endpoint = RecordedEndpoint(url: .test("a"))
        do throws(RecordedEndpoint.Refusal) {
            _ = try await rig.queue.send(endpoint)
            Issue.record("no error")
        } catch {
            #expect(error.code == .httpStatus(410) && error.page == "gone")
        }
        #expect(endpoint.calls.values.last == "handle error httpStatus(410)")
    }

    @Test(arguments: QueueKind.allCases)
    func `Canceling the task that sends an endpoint cancels that request only`(kind: QueueKind) async {
        let rig = QueueRig(kind)
        let first = Task { try await rig.queue.send(RecordedEndpoint(url: .test("first"))) }
        await rig.transport.waitForExchanges(1)
        let second = Task { try await rig.queue.send(RecordedEndpoint(url: .test("second"))) }
        let exchange = await rig.transport.exchange(1)
        first.cancel()
        let error = await #expect(throws: RecordedEndpoint.Refusal.self) { try await first.value }
        #expect(error?.code == .cancelled)
        #expect(!exchange.isCancelled && rig.queue.isActive(RecordedEndpoint.self))
        exchange.answer(.ok(Data("fine".utf8)))
        #expect(await second.result.success == "fine")
    }

    @Test(arguments: QueueKind.allCases)
    func `A task that is canceled before it sends gets a cancellation`(kind: QueueKind) async {
        let rig = QueueRig(kind)
        let task = Task {
            // Until the task knows that it has been cancelled.
            while !Task.isCancelled { await Task.yield() }
            return try await rig.queue.send(RecordedEndpoint(url: .test("a")))
        }
        task.cancel()
        let error = await #expect(throws: RecordedEndpoint.Refusal.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: QueueKind.allCases)
    func `Sending the same endpoint twice at a time gives both senders their value`(kind: QueueKind) async throws {
        let rig = QueueRig(kind)
        let endpoint = RecordedEndpoint(url: .test("a"))
        async let first = rig.queue.send(endpoint)
        async let second = rig.queue.send(endpoint)
        await rig.transport.exchange(0).answer(.ok(Data("one".utf8)))
        await rig.transport.exchange(1).answer(.ok(Data("two".utf8)))
        #expect(try await Set([first, second]) == ["one", "two"])
        #expect(endpoint.calls.values.count { $0.hasPrefix("handle") } == 2)
    }

    @Test func `An endpoint that is sent in a batch waits for go()`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .ok(Data("fine".utf8)) })
        let task = Task { try await rig.queue.send(RecordedEndpoint(url: .test("a"))) }
        #expect(await eventually { rig.queue.requestCount == 1 })
        #expect(rig.transport.exchanges.isEmpty)
        rig.queue.go()
        #expect(try await task.value == "fine")
    }

    @Test func `A reset of a batch ends the wait of a sender, though no handler is called`() async {
        let rig = QueueRig()
        let endpoint = RecordedEndpoint(url: .test("a"))
        let task = Task { try await rig.queue.send(endpoint) }
        #expect(await eventually { rig.queue.requestCount == 1 })
        rig.queue.reset()
        let error = await #expect(throws: RecordedEndpoint.Refusal.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(!endpoint.calls.values.contains("handle error cancelled"))
    }

    @Test func `A task started in an endpoint's handler may send another endpoint`() async throws {
        let rig = QueueRig(.requestQueue, answering: "fine")
        let values = Gathering<String>()
        rig.queue.add(RecordedEndpoint(url: .test("a"))) { _ in
            Task { values.add(try await rig.queue.send(RecordedEndpoint(url: .test("b")))) }
        }
        #expect(await values.wait(count: 1) == ["fine"])
    }
}

extension Result {
    /// The value, if it is one.
    fileprivate var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}
