import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CallbackTests {
    @Test(arguments: [false, true])
    func `All callbacks run one after the other on the delegate queue`(isSynchronous: Bool) async {
        let strays = Guarded(0)
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { exchange in
            exchange.url.path().hasSuffix("3") ? .fail(.timedOut) : .ok(Data("x".utf8))
        }
        let rig = QueueRig(
            transport, configure: { $0.cancelsAllOnFailure = false },
            onEvent: { _, _ in
                if !QueueRig.isOnCallbackQueue { strays.withLock { $0 += 1 } }
            })
        for operation in rig.add(100) {
            operation.completionHandler = { _, _, _ in
                if !QueueRig.isOnCallbackQueue { strays.withLock { $0 += 1 } }
            }
        }
        await rig.queue.run()
        #expect(strays.withLock { $0 } == 0)
        #expect(!rig.recorder.hasOverlapped)
    }

    @Test func `A request for the first byte has the callbacks of any other`() async {
        let rig = QueueRig(
            ScriptedTransport { _ in
                .respond(
                    status: 206, headers: ["Content-Range": "bytes 0-0/9", "Content-Length": "1"],
                    body: Data("x".utf8))
            })
        rig.queue.add(NetworkRequest.firstByte(of: .test("a")))
        await rig.queue.run()
        #expect(rig.recorder.events.contains { $0.kind == .didReceiveHeaders })
        #expect(rig.recorder.summaries.map(\.bytesReceived) == [1])
    }

    @Test func `Callbacks come in the order in which things happened`() async {
        let rig = QueueRig()
        let (first, second) = (rig.queue.add(.test("0")), rig.queue.add(.test("1")))
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        let exchanges = rig.transport.exchanges
        exchanges[1].receive(headers: ["Content-Length": "1"])
        exchanges[0].receive(headers: ["Content-Length": "1"])
        exchanges[1].end()
        exchanges[0].end()
        await rig.recorder.waitForDrain()
        let order = rig.recorder.events.compactMap { event -> String? in
            switch event {
            case .didStart(let operation): "start \(operation === first ? 0 : 1)"
            case .didReceiveHeaders(let operation, _): "head \(operation === first ? 0 : 1)"
            case .didFinish(let operation): "finish \(operation === second ? 1 : 0)"
            case .queueDidFinish: "drain"
            default: nil
            }
        }
        #expect(order == ["start 0", "start 1", "head 1", "head 0", "finish 1", "finish 0", "drain"])
    }

    @Test func `Callbacks go to a delegate and a stream that came after the event, but before its callback`() async {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        let callbacks = DispatchQueue(label: "CallbackTests")
        let queue = NetworkQueue(
            configuration: configuration, transport: ScriptedTransport { _ in .ok() }, delegateQueue: callbacks)
        callbacks.suspend()
        let operation = queue.add(.test("a"))
        queue.go()
        let response = try? await operation.response()
        let recorder = DelegateRecorder()
        queue.delegate = recorder
        let stream = queue.events()
        callbacks.resume()
        await recorder.waitForDrain()
        #expect(response?.head.statusCode == 200)
        #expect(recorder.story(of: operation) == ["start", "head 200", "finish"])
        var count = 0
        for await event in stream where event.operation === operation { count += 1 }
        #expect(count == 3)
    }

    @Test func `An operation's own handler is called before the delegate is told of its end`() async {
        let calls = Guarded<[String]>([])
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            onEvent: { _, event in
                if case .didFinish = event { calls.withLock { $0.append("delegate") } }
            })
        let operation = RequestOperation(NetworkRequest(.test("a")))
        operation.completionHandler = { _, _, _ in calls.withLock { $0.append("handler") } }
        rig.queue.add(operation)
        await rig.queue.run()
        #expect(calls.withLock { $0 } == ["handler", "delegate"])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `Every operation's callbacks are legal, whatever is canceled when`(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let transport = ScriptedTransport(isSynchronous: seed.isMultiple(of: 2)) { exchange in
            switch exchange.url.absoluteString.utf8.reduce(Int(seed), { ($0 &* 31 &+ Int($1)) & 0xFFFF }) % 6 {
            case 0: .fail(.networkConnectionLost)
            case 1: .status(503)
            case 2: .status(302, ["Location": exchange.url.absoluteString + "r"])
            default: .ok(Data("x".utf8))
            }
        }
        let rig = QueueRig(transport, configure: { $0.cancelsAllOnFailure = false })
        let operations = rig.add(200)
        let victims = operations.shuffled(using: &random).prefix(60)
        for victim in victims.prefix(20) { rig.queue.cancel(victim) }
        rig.queue.go()
        for victim in victims { victim.cancel() }
        await rig.recorder.waitForDrain()
        let legal = /(start,(redirect [^,]+,)*(head \d+,)?(finish|fail [^,]+)|fail cancelled)/
        for operation in operations {
            let story = rig.recorder.story(of: operation).joined(separator: ",")
            #expect(story.wholeMatch(of: legal) != nil, "seed \(seed): \(story)")
        }
        #expect(rig.recorder.summaries.map(\.counts.total) == [200])
    }

    // MARK: On a concurrent queue

    @Test
    func `Callbacks run in order, one after the other, on a concurrent queue of which a thread waits`() async {
        let callbacks = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let transport = ScriptedTransport { _ in .ok(Data("x".utf8)) }
        let queue = NetworkQueue(transport: transport, delegateQueue: callbacks)
        queue.showsAccurateProgress = false
        queue.maxConcurrentRequestCount = 8
        let recorder = DelegateRecorder()
        queue.delegate = recorder
        let operations = (0..<500).map { queue.add(.test("\($0)")) }
        await withCheckedContinuation { continuation in
            callbacks.async {
                queue.go()
                queue.waitUntilFinished()
                continuation.resume()
            }
        }
        #expect(!recorder.hasOverlapped && recorder.isLastDrain)
        #expect(operations.allSatisfy { recorder.story(of: $0) == ["start", "head 200", "finish"] })
    }

    @Test func `delegateQueue is the queue that was given, or the main queue`() {
        let callbacks = DispatchQueue(label: "callbacks")
        #expect(NetworkQueue(transport: ScriptedTransport(), delegateQueue: callbacks).delegateQueue === callbacks)
        let standard = NetworkQueue(transport: ScriptedTransport())
        #expect(standard.delegateQueue.label == DispatchQueue.main.label)
    }

    @Test func `Callbacks of a RequestQueue run one after the other, too, whatever its callback queue`() async {
        let callbacks = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let rig = QueueRig.requestQueue(ScriptedTransport(isSynchronous: true) { _ in .ok() }) {
            $0.callbackQueue = callbacks
            $0.maxConcurrentRequestCount = 0
        }
        let order = Gathering<Int>()
        let active = Atomic(0)
        let hasOverlapped = Atomic(false)
        for number in 0..<2_000 {
            let operation = RequestOperation(NetworkRequest(.test("\(number)")))
            operation.completionHandler = { _, _, _ in
                if active.add(1, ordering: .relaxed).newValue > 1 { hasOverlapped.store(true, ordering: .relaxed) }
                order.add(number)
                active.subtract(1, ordering: .relaxed)
            }
            rig.queue.add(operation)
        }
        #expect(await order.wait(count: 2_000) == Array(0..<2_000) && !hasOverlapped.load(ordering: .relaxed))
    }

    // MARK: Turns

    @Test func `Other blocks of a serial delegate queue get a turn after 512 callbacks in a row`() async {
        let order = Gathering<String>()
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: true) { _ in .ok() },
            onEvent: { _, event in if event.kind == .didStart { order.add("start") } })
        rig.callbacks.suspend()
        rig.add(1000)
        rig.queue.go()
        rig.callbacks.async { order.add("block") }
        rig.callbacks.resume()
        let turn = await order.wait(count: 1001).firstIndex(of: "block")
        #expect(turn.map { $0 > 0 && $0 <= 512 } == true)
    }

    @Test func `A callback that comes just after others is made a millisecond after those`() async {
        let times = Gathering<DispatchTime>()
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: true) { _ in .ok() },
            onEvent: { _, event in if event.kind == .didStart { times.add(.now()) } })
        let start = DispatchTime.now()
        rig.queue.go()
        rig.settle()
        rig.queue.add(.test("a"))
        #expect(await times.wait(count: 1)[0] >= start + .milliseconds(1))
    }
}
