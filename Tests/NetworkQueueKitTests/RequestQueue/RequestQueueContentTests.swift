import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueContentTests {
    @Test
    func `The requests of a queue are the running ones as started, then the waiting ones as they would start`() async {
        let rig = QueueRig.requestQueue()
        rig.add(all: ["0", "1", "2", "3", "4"])
        #expect(rig.paths == ["/0", "/1", "/2", "/3", "/4"] && rig.queue.requestCount == 5)
        rig.queue.mode = .lastInFirstOut
        #expect(rig.paths == ["/0", "/1", "/4", "/3", "/2"])
        rig.add("5")
        #expect(rig.paths == ["/0", "/1", "/5", "/4", "/3", "/2"])
        rig.transport.exchanges[0].answer(.ok())
        #expect(rig.paths == ["/1", "/5", "/4", "/3", "/2"] && rig.queue.requestCount == 5)
        #expect(rig.queue.requests.map(\.status) == [.running, .running, .waiting, .waiting, .waiting])
        rig.queue.mode = .firstInFirstOut
        #expect(rig.paths == ["/1", "/5", "/2", "/3", "/4"])
        rig.queue.cancelAllRequests()
    }

    @Test func `A queue lists its requests in the order in which they start, whatever their priorities`() async {
        let rig = QueueRig.requestQueue {
            $0.maxConcurrentRequestCount = 1
            $0.isSuspended = true
        }
        for number in 0..<30 {
            var request = NetworkRequest(.test("\(number)"))
            request.priority = [.low, .normal, .high][number * 7 % 3]
            rig.queue.add(rig.make(request))
        }
        let told = rig.paths
        rig.transport.setScript { _ in .ok() }
        rig.queue.isSuspended = false
        _ = await rig.texts(30)
        #expect(rig.startedPaths == told && told.first == "/2" && told.last == "/27")
    }

    @Test(arguments: [false, true], [ScriptedTransport.Answer.ok(), .fail(.timedOut)])
    func `requestCount and requests leave out ended operations, also in an operation's own handler`(
        isSynchronous: Bool, answer: ScriptedTransport.Answer
    ) async {
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { $0.url.path() == "/x" ? .hold : answer }
        let rig = QueueRig.requestQueue(transport) { $0.maxConcurrentRequestCount = 1 }
        let seen = Gathering<[String]>()
        let queue = rig.queue
        queue.isSuspended = true
        for number in 0..<500 {
            queue.add(URLRequest(url: .test("\(number)"))) { _, _, _ in
                let paths = queue.requests.map(\.path)
                seen.add(paths.contains("/\(number)") || queue.requestCount > 499 - number ? paths : [])
            }
        }
        queue.isSuspended = false
        #expect(await seen.wait(count: 500).allSatisfy(\.isEmpty))
        #expect(queue.requestCount == 0 && queue.requests.isEmpty)
    }

    @Test func `The requests of a queue tell whether an equal one is there already`() {
        let rig = QueueRig.requestQueue()
        let request = URLRequest(url: .test("a"))
        #expect(!rig.queue.requests.contains { $0.request.urlRequest == request })
        rig.add(request)
        #expect(rig.queue.requests.contains { $0.request.urlRequest == request })
        rig.queue.cancelAllRequests()
    }

    @Test func `RequestQueue.main is one queue for the whole process, with the default settings`() {
        let queue = RequestQueue.main
        #expect(queue === RequestQueue.main)
        #expect(queue.maxConcurrentRequestCount == 2 && queue.maxConcurrentRequestCountPerHost == nil)
        #expect(queue.mode == .firstInFirstOut && !queue.allowsDuplicateRequests && !queue.isSuspended)
    }
}
