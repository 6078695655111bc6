import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EndpointQueryTests {
    /// A protocol of a service.
    private protocol Fruit: Endpoint {}

    private struct Apple: Fruit {
        let url: URL
    }

    private struct Pear: Fruit {
        let url: URL
    }

    @Test(arguments: QueueKind.allCases)
    func `A queue tells which endpoints of a type run and wait, in their order`(kind: QueueKind) async {
        let rig = QueueRig(kind, limit: 2)
        let apples = ["a", "b"].map { rig.queue.add(Apple(url: .test($0))) }
        let pear = rig.queue.add(Pear(url: .test("c")))
        let last = rig.queue.add(Apple(url: .test("d")))
        await rig.transport.waitForExchanges(2)
        #expect(rig.queue.operations(of: Apple.self) == apples + [last])
        #expect(rig.queue.operations(of: Pear.self) == [pear])
        #expect(rig.queue.isActive(Apple.self) && rig.queue.isActive(Pear.self))
        #expect(!rig.queue.isActive(BasicEndpoint.self) && rig.queue.operations(of: BasicEndpoint.self).isEmpty)
        rig.queue.cancelAll(of: Apple.self)
        rig.queue.cancelAll(of: Pear.self)
    }

    @Test(arguments: QueueKind.allCases)
    func `A type is no longer active in the handler of its last endpoint`(
        kind: QueueKind
    ) async {
        let rig = QueueRig(kind, answering: "")
        let states = Gathering<Bool>()
        rig.queue.add(Apple(url: .test("a"))) { _ in states.add(rig.queue.isActive(Apple.self)) }
        #expect(await states.wait(count: 1) == [false])
    }

    @Test(arguments: QueueKind.allCases)
    func `Canceling the endpoints of a type leaves all others alone, and starts none of those that waited`(
        kind: QueueKind
    ) async {
        let rig = QueueRig(kind, limit: 2)
        let codes = Gathering<NetworkError.Code?>()
        let pear = rig.queue.add(Pear(url: .test("pear")))
        let plain = RequestOperation(NetworkRequest(.test("plain")))
        let apples = (0..<3).map { number in
            rig.queue.add(Apple(url: .test("\(number)"))) { codes.add($0.failure?.code) }
        }
        rig.queue.add(plain)
        await rig.transport.waitForExchanges(2)
        rig.queue.cancelAll(of: Apple.self)
        #expect(await codes.wait(count: 3) == [.cancelled, .cancelled, .cancelled])
        #expect(apples.allSatisfy { $0.status == .cancelled })
        #expect(!pear.isCancelled && !plain.isCancelled)
        await rig.transport.waitForExchanges(3)
        #expect(rig.transport.exchanges.map(\.path) == ["/pear", "/0", "/plain"])
        for exchange in rig.transport.exchanges { exchange.answer(.ok()) }
    }

    @Test func `Endpoints that are added after a cancellation of their type are not affected`() async throws {
        let rig = QueueRig(.requestQueue, answering: "fine")
        rig.queue.cancelAll(of: Apple.self)
        #expect(try await rig.queue.send(Apple(url: .test("a"))) == Data("fine".utf8))
    }

    @Test func `An operation tells its endpoint, so that a whole service can be looked for by its protocol`() async {
        let rig = QueueRig(.requestQueue)
        let fruits = [rig.queue.add(Apple(url: .test("a"))), rig.queue.add(Pear(url: .test("b")))]
        let basic = rig.queue.add(BasicEndpoint(.test("c")))
        let plain = RequestOperation(NetworkRequest(.test("d")))
        rig.queue.add(plain)
        #expect(rig.queue.requests.filter { $0.endpoint is any Fruit } == fruits)
        #expect(basic.endpoint is BasicEndpoint && plain.endpoint == nil)
        for operation in rig.queue.requests { operation.cancel() }
    }

    @Test func `An operation that a batch makes for another try still belongs to its endpoint's type`() async {
        let rig = QueueRig()
        rig.queue.go()
        let former = rig.queue.add(Apple(url: .test("a")))
        await rig.transport.exchange(0).answer(.fail(.networkConnectionLost))
        await rig.recorder.waitForDrain(1)
        rig.queue.retryFailed()
        await rig.transport.waitForExchanges(2)
        let operations = rig.queue.operations(of: Apple.self)
        #expect(operations.count == 1 && operations.first !== former)
        rig.queue.cancelAll(of: Apple.self)
    }
}
