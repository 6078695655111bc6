import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OperationQueueTransportTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    private func make(_ path: String, over transport: any Transport) -> RequestOperation {
        let operation = RequestOperation(NetworkRequest(server.url(path)))
        operation.setStandalone(transport: transport, timekeeper: SystemTimekeeper())
        return operation
    }

    @Test func `start() alone runs over the default transport`() async {
        server.serve("/a", .text("alone"))
        let operation = RequestOperation(request: URLRequest(url: server.url("/a")))
        let texts = Gathering<String>()
        operation.completionHandler = { _, data, _ in texts.add(String(decoding: data ?? Data(), as: UTF8.self)) }
        operation.start()
        #expect(await texts.wait(count: 1) == ["alone"])
        await onThread { operation.waitUntilFinished() }
        #expect(operation.isFinished && operation.responseHead?.statusCode == 200)
    }

    @Test(arguments: TransportKind.allCases)
    func `The server sees the dependencies and the limit of an OperationQueue`(kind: TransportKind) async throws {
        let transport = try kind.makeTransport()
        server.serve("/*", .text("x"))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 3
        // Each of three chains runs in its order.
        var operations: [RequestOperation] = []
        for chain in 0..<3 {
            var previous: Operation?
            for number in 0..<10 {
                let operation = make("/\(chain)/\(number)", over: transport)
                if let previous { operation.addDependency(previous) }
                let block = BlockOperation {}
                block.addDependency(operation)
                queue.addOperation(block)
                queue.addOperation(operation)
                previous = block
                operations.append(operation)
            }
        }
        await onThread { queue.waitUntilAllOperationsAreFinished() }
        #expect(operations.allSatisfy { $0.status == .finished && $0.data == Data("x".utf8) })
        for chain in 0..<3 {
            let paths = server.requests.map(\.path).filter { $0.hasPrefix("/\(chain)/") }
            #expect(paths == (0..<10).map { "/\(chain)/\($0)" })
        }
        #expect(server.peakConcurrentRequestCount <= 3)
    }

    @Test(arguments: TransportKind.allCases)
    func `cancelAllOperations() hangs up on the server and lets the queue drain`(kind: TransportKind) async throws {
        let transport = try kind.makeTransport()
        let gate = Gate()
        server.serve("/*", .generated(size: 100_000).gated(by: gate, at: .afterBody(1000)))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4
        let operations = (0..<20).map { make("/\($0)", over: transport) }
        for operation in operations { queue.addOperation(operation) }
        #expect(await gate.waitForArrival(count: 4))
        queue.cancelAllOperations()
        await onThread { queue.waitUntilAllOperationsAreFinished() }
        #expect(operations.allSatisfy { $0.status == .cancelled && $0.error?.code == .cancelled && $0.data == nil })
        #expect(await server.wait { $0.concurrentRequests == 0 })
    }

    @Test(arguments: TransportKind.allCases)
    func `An operation in a RequestQueue follows a block that prepares its resource`(kind: TransportKind) async throws {
        let queue = RequestQueue(transport: try kind.makeTransport())
        let prepare = BlockOperation { [server] in server.serve("/prepared", .text("ready")) }
        let operation = RequestOperation(NetworkRequest(server.url("/prepared")))
        operation.addDependency(prepare)
        queue.add(operation)
        OperationQueue().addOperation(prepare)
        await onThread { operation.waitUntilFinished() }
        #expect(operation.data == Data("ready".utf8))
    }
}
