import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueHandlerTests {
    @Test(arguments: [false, true])
    func `The handlers of a RequestQueue run on the callback queue, once each, with the outcome`(isSynchronous: Bool)
        async
    {
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { exchange in
            switch exchange.url.path() {
            case "/bad": .fail(.cannotFindHost)
            case "/500": .respond(status: 500, headers: [:], body: Data("sorry".utf8))
            default: .ok(Data("fine".utf8))
            }
        }
        let key = DispatchSpecificKey<Bool>()
        let callbacks = DispatchQueue(label: "callbacks")
        callbacks.setSpecific(key: key, value: true)
        let queue = QueueRig.requestQueue(transport) { $0.callbackQueue = callbacks }.queue
        #expect(queue.callbackQueue === callbacks)
        let calls = Gathering<String>()
        for path in ["ok", "bad", "500"] {
            queue.add(.test(path)) { head, data, error in
                let place = DispatchQueue.getSpecific(key: key) == true ? "" : "elsewhere: "
                let (text, code) = (String(decoding: data ?? Data(), as: UTF8.self), error.map { "\($0.code)" } ?? "-")
                calls.add("\(place)\(path) \(head?.statusCode ?? 0) \(text) \(code)")
            }
        }
        await queue.waitUntilEmpty()
        #expect(calls.values.sorted() == ["500 500 sorry httpStatus(500)", "bad 0  cannotFindHost", "ok 200 fine -"])
    }

    @Test func `A handler may cancel all requests, add others and change every setting`() async {
        let rig = QueueRig.requestQueue()
        let queue = rig.queue
        let codes = Gathering<NetworkError.Code?>()
        queue.add(.test("first")) { _, _, _ in
            queue.cancelAllRequests()
            queue.cancelAllRequests()
            queue.mode = .lastInFirstOut
            queue.maxConcurrentRequestCount = 1
            queue.maxConcurrentRequestCountPerHost = 1
            queue.allowsDuplicateRequests.toggle()
            queue.isSuspended = true
            queue.isSuspended = false
            queue.add(.test("last")) { _, _, error in codes.add(error?.code) }
        }
        for number in 0..<10 {
            queue.add(.test("\(number)")) { _, _, error in
                // Nothing but the one that has just been added is left.
                queue.cancel(URLRequest(url: .test("\(number)")))
                codes.add(error?.code)
            }
        }
        rig.transport.setScript { $0.url.path() == "/last" ? .ok() : .hold }
        rig.transport.exchanges[0].answer(.ok())
        let told = await codes.wait(count: 11)
        #expect(told.count { $0 == .cancelled } == 10 && told.count { $0 == nil } == 1)
    }
}
