import Foundation
import NetworkQueueTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ScriptedTransportTests {
    @Test func `A canceled task that waits for an exchange gets one that is over`() async {
        let transport = ScriptedTransport()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await transport.exchange(3)
        }
        let exchange = await task.value
        exchange.receive(status: 200)
        exchange.end()
        #expect(exchange.isOver && exchange.receive(Data("x".utf8)) == .stop)
        #expect(transport.exchanges.isEmpty && transport.counts.started == 0)
    }
}
