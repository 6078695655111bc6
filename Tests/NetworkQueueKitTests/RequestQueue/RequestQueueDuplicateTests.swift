import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueDuplicateTests {
    @Test
    func `Adding a request equal to a waiting one cancels that one, and takes its own place in the order`() async {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 1 }
        rig.add(all: ["0", "same", "2", "same"])
        #expect(await rig.texts(1) == ["/same cancelled"])
        #expect(rig.paths == ["/0", "/2", "/same"])
        rig.queue.cancelAllRequests()
    }

    @Test(arguments: OddName.twins)
    func `A request whose texts have other bytes is not a duplicate`(one: String, other: String) throws {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 0 }
        let operations = try [one, other].flatMap { name in
            var field = NetworkRequest(.test("a"), headers: ["X-A": name])
            field.destination = .discard
            var file = NetworkRequest(try #require(URL(webAddress: "http://host.test/b?\(name)")))
            file.destination = .file(URL(filePath: "/tmp/\(name)"))
            return [field, file].map { rig.queue.add($0) }
        }
        rig.settle()
        #expect(operations.allSatisfy { !$0.isCancelled } && rig.queue.requestCount == 4)
        rig.queue.cancelAll()
    }

    @Test func `Adding a request equal to a running one cancels that one, and its exchange`() async {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 1 }
        rig.add(all: ["same", "same"])
        let outcome = await rig.outcomes.wait(count: 1)[0]
        #expect(outcome.error?.code == .cancelled)
        #expect((outcome.error?.underlying as? URLError)?.code == .cancelled)
        rig.settle()
        #expect(rig.transport.exchanges[0].isCancelled)
        await rig.transport.exchange(1).answer(.ok())
        #expect(await rig.texts(2) == ["/same cancelled", "/same ok"])
    }

    @Test func `Adding a request equal to one that waits for a retry cancels that one at once`() async {
        let rig = QueueRig.requestQueue { $0.retryPolicy = RetryPolicy(maxRetries: 1) }
        let first = rig.add("same")
        rig.transport.exchanges[0].end(.timedOut)
        #expect(first.status == .retrying)
        rig.add("same")
        #expect(first.status == .cancelled && rig.scheduledCount == 0)
        #expect(await rig.texts(1) == ["/same cancelled"] && rig.queue.requestCount == 1)
        rig.queue.cancelAllRequests()
    }

    @Test func `An endpoint cancels an equal one of its own type, but none of another type or without one`() async {
        struct Names: Endpoint { let url: URL }
        struct Count: Endpoint { let url: URL }
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 0 }
        let plain = rig.add("same")
        let names = rig.queue.add(Names(url: .test("same")))
        let count = rig.queue.add(Count(url: .test("same")))
        #expect(rig.queue.requestCount == 3 && rig.transport.counts.started == 3)
        let saved = (0..<2).map { _ in rig.queue.add(Names(url: .test("same")).saved(to: URL(filePath: "/tmp/same"))) }
        rig.settle()
        #expect(saved[0].isCancelled && !saved[1].isCancelled)
        let second = rig.queue.add(Names(url: .test("same")))
        rig.settle()
        #expect(names.isCancelled && !second.isCancelled && !count.isCancelled && !plain.isCancelled)
        rig.add("same")
        rig.settle()
        #expect(plain.isCancelled && !second.isCancelled && !count.isCancelled && !saved[1].isCancelled)
        rig.queue.cancelAll()
    }

    @Test func `Equal requests that are allowed each run, and are canceled together by their request`() async {
        let rig = QueueRig.requestQueue { $0.allowsDuplicateRequests = true }
        rig.add(all: ["same", "same", "same", "other"])
        #expect(rig.startedPaths == ["/same", "/same"])
        rig.queue.cancel(URLRequest(url: .test("same")))
        #expect(await rig.texts(3).allSatisfy { $0 == "/same cancelled" })
        #expect(rig.paths == ["/other"])
        rig.queue.cancelAllRequests()
    }

    @Test func `Forbidding duplicates leaves old ones alone, but the next equal request cancels them all`() async {
        let rig = QueueRig.requestQueue { $0.allowsDuplicateRequests = true }
        let old = rig.add(all: Array(repeating: "same", count: 5))
        rig.queue.allowsDuplicateRequests = false
        rig.settle()
        #expect(!rig.queue.allowsDuplicateRequests && old.allSatisfy { !$0.isCancelled })
        rig.queue.cancel(old[1])
        rig.queue.cancel(old[4])
        _ = await rig.texts(2)
        let new = rig.add("same")
        #expect(await rig.texts(5).allSatisfy { $0 == "/same cancelled" })
        rig.settle()
        #expect(old.allSatisfy { $0.isCancelled } && rig.queue.requests.map(\.id) == [new.id])
        // Allowed again, the next does no harm.
        rig.queue.allowsDuplicateRequests = true
        rig.add("same")
        rig.settle()
        #expect(!new.isCancelled && rig.queue.requestCount == 2)
        rig.queue.cancelAllRequests()
    }

    @Test func `Content that differs outside its hashed parts makes requests different`() async {
        let rig = QueueRig.requestQueue { $0.isSuspended = true }
        func request(_ byte: UInt8) -> NetworkRequest {
            NetworkRequest(.test("a"), body: .data(Data(count: 10_000) + [byte] + Data(count: 10_000)))
        }
        let operations = [1, 2, 1, 3, 2].map { rig.make(request($0)) }
        for operation in operations { rig.queue.add(operation) }
        #expect(await rig.texts(2) == ["/a cancelled", "/a cancelled"])
        rig.settle()
        #expect(operations.map(\.isCancelled) == [true, true, false, false, false])
        rig.queue.cancelAllRequests()
    }

    @Test func `Canceling an earlier duplicate does not make the queue forget the later one`() async {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 1 }
        let first = rig.add("same")
        let second = rig.add("same")
        _ = await rig.texts(1)
        first.cancel()
        rig.queue.cancel(first)
        rig.add("same")
        rig.settle()
        #expect(second.isCancelled)
        rig.queue.cancelAllRequests()
    }

    /// Requests for one URL that ask for different things, or put them in different places.
    private static let different: [NetworkRequest] = {
        let url = URL.test("a")
        var requests = [NetworkRequest(url)]
        func add(_ change: (inout NetworkRequest) -> Void) {
            var request = NetworkRequest(url)
            change(&request)
            requests.append(request)
        }
        add { $0.urlRequest.httpMethod = "DELETE" }
        for text in ["one", "two"] {
            add {
                $0.urlRequest.httpMethod = "POST"
                $0.urlRequest.httpBody = Data(text.utf8)
            }
            add {
                $0.urlRequest.httpMethod = "POST"
                $0.body = .data(Data(text.utf8))
            }
            add { $0.urlRequest.setValue(text, forHTTPHeaderField: "X") }
            add { $0.destination = .file(URL(filePath: "/tmp/\(text)")) }
            add { $0.credential = URLCredential(user: text, password: "p", persistence: .none) }
        }
        add { $0.destination = .discard }
        return requests
    }()

    @Test func `Requests that differ in method, header fields, content, credentials or destination all run`() {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 0 }
        let operations = Self.different.map { rig.make($0) }
        for operation in operations { rig.queue.add(operation) }
        rig.settle()
        #expect(operations.allSatisfy { !$0.isCancelled })
        // And each finds its equal among them.
        for (number, request) in Self.different.enumerated() {
            rig.queue.add(rig.make(request))
            rig.settle()
            let cancelled = operations.map(\.isCancelled)
            #expect(cancelled == operations.indices.map { $0 <= number }, "number \(number)")
        }
        rig.queue.cancelAllRequests()
    }

    @Test func `Canceling by a request tells requests apart by method, content and header fields`() {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 0 }
        // Of the different ones those that Foundation's request can express.
        let requests = Self.different.filter { $0.body == nil && $0.destination == .memory && $0.credential == nil }
        let operations = requests.map { rig.make($0) }
        for operation in operations { rig.queue.add(operation) }
        for (number, request) in requests.enumerated() {
            rig.queue.cancel(request.urlRequest)
            rig.settle()
            #expect(operations.map(\.isCancelled) == operations.indices.map { $0 <= number }, "number \(number)")
        }
    }

    @Test func `A request that has ended is no duplicate`() {
        let rig = QueueRig.requestQueue(ScriptedTransport(isSynchronous: true) { _ in .ok() })
        let operations = rig.add(all: ["same", "same", "same"])
        #expect(operations.map(\.status) == [.finished, .finished, .finished])
    }
}
