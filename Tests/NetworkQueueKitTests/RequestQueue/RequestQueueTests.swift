import Dispatch
import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueTests {
    private func queue(
        _ transport: ScriptedTransport, configure: (inout RequestQueue.Configuration) -> Void = { _ in }
    ) -> RequestQueue {
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = 1
        configure(&configuration)
        return RequestQueue(configuration: configuration, transport: transport)
    }

    @Test func `Requests of higher priority start first`() async {
        let transport = ScriptedTransport { _ in .ok() }
        let queue = queue(transport) { $0.isSuspended = true }
        for priority in [NetworkRequest.Priority.low, .normal, .high] {
            var request = NetworkRequest(.test("\(priority)"))
            request.priority = priority
            queue.add(RequestOperation(request))
        }
        queue.isSuspended = false
        await transport.waitForExchanges(3)
        #expect(transport.exchanges.map(\.path) == ["/high", "/normal", "/low"])
    }

    @Test func `A queue runs no more requests per host than its limit for hosts`() async {
        let transport = ScriptedTransport()
        let queue = queue(transport) {
            $0.maxConcurrentRequestCount = 0
            $0.maxConcurrentRequestCountPerHost = 2
        }
        for host in ["a", "B", "b", "c"] {
            for number in 0..<3 {
                queue.add(NetworkRequest.operation("http://\(host).test/\(number)"))
            }
        }
        let hosts = transport.exchanges.compactMap { $0.exchange.url.host()?.lowercased() }
        #expect(hosts == ["a.test", "a.test", "b.test", "b.test", "c.test", "c.test"])
        queue.cancelAllRequests()
    }
}

extension NetworkRequest {
    fileprivate static func operation(_ url: String) -> RequestOperation {
        guard let url = URL(string: url) else { preconditionFailure(url) }
        return RequestOperation(NetworkRequest(url))
    }
}
