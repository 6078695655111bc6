import Dispatch
import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueHandlerTests {
    private func queue(
        _ transport: ScriptedTransport, configure: (inout RequestQueue.Configuration) -> Void = { _ in }
    ) -> RequestQueue {
        var configuration = RequestQueue.Configuration()
        configure(&configuration)
        return RequestQueue(configuration: configuration, transport: transport)
    }

    @Test(arguments: [false, true])
    func `The handlers of a RequestQueue run on the callback queue, once each, with the outcome`(isSynchronous: Bool)
        async
    {
        let key = DispatchSpecificKey<Bool>()
        let callbacks = DispatchQueue(label: "callbacks")
        callbacks.setSpecific(key: key, value: true)
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { exchange in
            switch exchange.url.path() {
            case "/bad": .fail(.cannotFindHost)
            case "/500": .respond(status: 500, headers: [:], body: Data("sorry".utf8))
            default: .ok(Data("fine".utf8))
            }
        }
        let queue = queue(transport) { $0.callbackQueue = callbacks }
        #expect(queue.callbackQueue === callbacks)
        let (calls, call) = AsyncStream.makeStream(of: (String, Int?, String?, NetworkError.Code?, Bool).self)
        for path in ["ok", "bad", "500"] {
            queue.add(URLRequest(url: .test(path))) { head, data, error in
                let isOnQueue = DispatchQueue.getSpecific(key: key) == true
                call.yield(
                    (path, head?.statusCode, data.map { String(decoding: $0, as: UTF8.self) }, error?.code, isOnQueue))
            }
        }
        var told: [String: String] = [:]
        for await (path, status, text, code, isOnQueue) in calls.prefix(3) {
            #expect(isOnQueue && told[path] == nil)
            told[path] = "\(status ?? 0) \(text ?? "-") \(code.map { "\($0)" } ?? "-")"
        }
        #expect(told == ["ok": "200 fine -", "bad": "0 - cannotFindHost", "500": "500 sorry httpStatus(500)"])
    }

    @Test func `A handler may cancel all requests, add others and change every setting`() async {
        let transport = ScriptedTransport()
        let queue = queue(transport)
        let (ends, end) = AsyncStream.makeStream(of: NetworkError.Code?.self)
        queue.add(URLRequest(url: .test("first"))) { _, _, _ in
            queue.cancelAllRequests()
            queue.cancelAllRequests()
            queue.mode = .lastInFirstOut
            queue.maxConcurrentRequestCount = 1
            queue.maxConcurrentRequestCountPerHost = 1
            queue.allowsDuplicateRequests.toggle()
            queue.isSuspended = true
            queue.isSuspended = false
            queue.add(URLRequest(url: .test("last"))) { _, _, error in end.yield(error?.code) }
        }
        for number in 0..<10 {
            queue.add(URLRequest(url: .test("\(number)"))) { _, _, error in
                // Nothing but the one that has just been added is left.
                queue.cancel(URLRequest(url: .test("\(number)")))
                end.yield(error?.code)
            }
        }
        transport.setScript { $0.url.path() == "/last" ? .ok() : .hold }
        await transport.exchange(0).answer(.ok())
        var codes: [NetworkError.Code?] = []
        for await code in ends.prefix(11) { codes.append(code) }
        #expect(codes.count { $0 == .cancelled } == 10 && codes.count { $0 == nil } == 1)
    }

    @Test func `Canceling a request or an operation ends that one alone`() async {
        let transport = ScriptedTransport()
        let queue = queue(transport) { $0.allowsDuplicateRequests = true }
        let same = [0, 1].map { _ in queue.add(URLRequest(url: .test("same"))) }
        let (one, other) = (queue.add(URLRequest(url: .test("one"))), queue.add(URLRequest(url: .test("other"))))
        queue.cancel(URLRequest(url: .test("same")))
        queue.cancel(one)
        #expect(same.allSatisfy { $0.isCancelled } && one.isCancelled && !other.isCancelled)
        queue.cancelAllRequests()
    }

    @Test func `An operation of another queue is left alone`() {
        let transport = ScriptedTransport()
        let (mine, other) = (queue(transport), queue(transport))
        let own = mine.add(URLRequest(url: .test("own")))
        let foreign = other.add(URLRequest(url: .test("foreign")))
        mine.cancel(foreign)
        #expect(!foreign.isCancelled && !own.isCancelled)
        other.cancelAllRequests()
        mine.cancelAllRequests()
    }

    @Test func `A suspended queue that goes away cancels waiting requests and lets running ones end`() async {
        let transport = ScriptedTransport()
        let (ends, end) = AsyncStream.makeStream(of: String.self)
        weak var weakQueue: RequestQueue?
        do {
            let queue = queue(transport) { $0.maxConcurrentRequestCount = 1 }
            weakQueue = queue
            for number in 0..<2 {
                queue.add(URLRequest(url: .test("\(number)"))) { _, _, error in
                    end.yield("\(number) \(error.map { "\($0.code)" } ?? "ok")")
                }
            }
            queue.isSuspended = true
        }
        #expect(weakQueue != nil)
        await transport.exchange(0).answer(.ok())
        var told: [String] = []
        for await text in ends.prefix(2) { told.append(text) }
        #expect(told.sorted() == ["0 ok", "1 cancelled"])
        #expect(await eventually { weakQueue == nil })
    }

    @Test func `Progress handlers report the bytes sent and received, and never after the end`() async {
        let transport = ScriptedTransport()
        let queue = queue(transport)
        let (calls, call) = AsyncStream.makeStream(of: String.self)
        var request = URLRequest(url: .test("a"))
        request.httpMethod = "PUT"
        request.httpBody = Data(count: 8)
        let operation = RequestOperation(request: request)
        operation.uploadProgressHandler = { call.yield("up \($0 ?? -1) \($1) \($2 ?? -1)") }
        operation.downloadProgressHandler = {
            call.yield("down \($0.map { "\($0)" } ?? "?") \($1) \($2.map { "\($0)" } ?? "?")")
        }
        operation.completionHandler = { _, _, _ in
            call.yield("end")
            call.finish()
        }
        queue.add(operation)
        let exchange = await transport.exchange(0)
        var iterator = calls.makeAsyncIterator()
        exchange.send(4)
        #expect(await iterator.next() == "up 0.5 4 8")
        exchange.send(8)
        #expect(await iterator.next() == "up 1.0 8 8")
        exchange.receive()
        exchange.receive(Data(count: 3))
        #expect(await iterator.next() == "down ? 3 ?")
        exchange.end()
        #expect(await iterator.next() == "end")
        #expect(await iterator.next() == nil)
    }
}
