import Dispatch
import Foundation
import NetworkQueueKit
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("RequestQueue", .timeLimit(.minutes(10)))
struct RequestQueueTests {
    private func queue(
        _ transport: ScriptedTransport, configure: (inout RequestQueue.Configuration) -> Void = { _ in }
    ) -> RequestQueue {
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = 1
        configure(&configuration)
        return RequestQueue(configuration: configuration, transport: transport)
    }

    @Test(arguments: [
        (QueueMode.firstInFirstOut, ["/0", "/1", "/2", "/3"]), (QueueMode.lastInFirstOut, ["/3", "/2", "/1", "/0"]),
    ])
    func `starts one at a time in the order of its mode`(mode: QueueMode, paths: [String]) async {
        let transport = ScriptedTransport { _ in .ok() }
        let queue = queue(transport) {
            $0.mode = mode
            $0.isSuspended = true
        }
        for number in 0..<4 { queue.add(URLRequest(url: .test("\(number)"))) }
        #expect(queue.requests.compactMap { $0.request.urlRequest.url?.path() } == paths)
        queue.isSuspended = false
        await transport.waitForExchanges(4)
        #expect(transport.exchanges.map(\.path) == paths && transport.peakLiveCount == 1)
    }

    @Test func `in last-in-first-out mode, what runs goes on`() async {
        let transport = ScriptedTransport()
        let queue = queue(transport) { $0.mode = .lastInFirstOut }
        for number in 0..<3 { queue.add(URLRequest(url: .test("\(number)"))) }
        let first = await transport.exchange(0)
        first.answer(.ok())
        await transport.waitForExchanges(2)
        #expect(transport.exchanges.map(\.path) == ["/0", "/2"] && !first.isCancelled)
        queue.cancelAllRequests()
    }

    @Test func `higher priorities start first`() async {
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

    @Test(arguments: [1, 2, 5])
    func `never runs more than its limit, and more at once when that is raised`(limit: Int) async {
        let transport = ScriptedTransport()
        let queue = queue(transport) { $0.maxConcurrentRequestCount = limit }
        for number in 0..<20 { queue.add(URLRequest(url: .test("\(number)"))) }
        #expect(transport.counts.started == limit)
        queue.maxConcurrentRequestCount = 8
        #expect(transport.counts.started == 8 && queue.requestCount == 20)
        queue.maxConcurrentRequestCount = 1
        transport.exchanges[0].answer(.ok())
        #expect(transport.counts.started == 8)
        queue.maxConcurrentRequestCount = 0
        await transport.waitForExchanges(20)
        queue.cancelAllRequests()
    }

    @Test func `runs no more per host than that limit`() async {
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

    @Test func `a request equal to one in the queue cancels the earlier one`() async {
        let transport = ScriptedTransport()
        let queue = queue(transport) { $0.maxConcurrentRequestCount = 2 }
        let (ends, end) = AsyncStream.makeStream(of: (Int, NetworkError.Code?).self)
        func add(_ number: Int, _ path: String) -> RequestOperation {
            queue.add(URLRequest(url: .test(path))) { _, _, error in end.yield((number, error?.code)) }
        }
        let running = add(0, "same")
        let other = add(1, "other")
        let waiting = add(2, "same")
        let last = add(3, "same")
        #expect(running.isCancelled && waiting.isCancelled && !other.isCancelled && !last.isCancelled)
        // Whether the third got to start before the fourth cancelled it is a matter of chance.
        transport.setScript { _ in .ok() }
        for exchange in transport.exchanges where !exchange.isCancelled { exchange.answer(.ok()) }
        var results: [Int: NetworkError.Code?] = [:]
        for await (number, code) in ends.prefix(4) { results[number] = code }
        #expect(results[0] == .some(.cancelled) && results[2] == .some(.cancelled))
        #expect(results[1] == .some(nil) && results[3] == .some(nil))
    }

    @Test func `equal requests that are allowed, or that differ, both run`() async {
        let transport = ScriptedTransport()
        let queue = queue(transport) {
            $0.maxConcurrentRequestCount = 0
            $0.allowsDuplicateRequests = true
        }
        for _ in 0..<2 { queue.add(URLRequest(url: .test("same"))) }
        #expect(transport.counts.started == 2 && transport.counts.cancelled == 0)
        queue.allowsDuplicateRequests = false
        for request in Self.different { queue.add(request) }
        #expect(transport.counts.started == 2 + Self.different.count && transport.counts.cancelled == 0)
        queue.cancelAllRequests()
    }

    @Test func `cancel(URLRequest) tells requests apart by body and header fields`() {
        let queue = queue(ScriptedTransport()) { $0.maxConcurrentRequestCount = 0 }
        let operations = Self.different.map { queue.add($0) }
        queue.cancel(Self.different[2])
        #expect(operations.map(\.isCancelled) == [false, false, true, false, false])
        queue.cancelAllRequests()
    }

    /// Requests for one URL that ask for different things. Foundation on Linux calls most of them equal.
    private static let different: [URLRequest] = {
        var post = URLRequest(url: .test("different"))
        post.httpMethod = "POST"
        var (one, other, header) = (post, post, post)
        one.httpBody = Data("one".utf8)
        other.httpBody = Data("other".utf8)
        header.setValue("1", forHTTPHeaderField: "X-A")
        var otherHeader = header
        otherHeader.setValue("2", forHTTPHeaderField: "X-A")
        return [post, one, other, header, otherHeader]
    }()

    @Test func `a request that has ended is no duplicate`() async {
        let transport = ScriptedTransport(isSynchronous: true) { _ in .ok() }
        let queue = queue(transport)
        let operations = (0..<3).map { _ in queue.add(URLRequest(url: .test("same"))) }
        #expect(operations.map(\.status) == [.finished, .finished, .finished])
    }
}

extension NetworkRequest {
    fileprivate static func operation(_ url: String) -> RequestOperation {
        guard let url = URL(string: url) else { preconditionFailure(url) }
        return RequestOperation(NetworkRequest(url))
    }
}
