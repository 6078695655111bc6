import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ProgressInvariantTests {
    /// Sizes that servers tell, truthfully or not, and contents that they send.
    private static func answer(_ exchange: HTTPExchange, seed: UInt64) -> ScriptedTransport.Answer {
        var random = SplitMix64(seed: exchange.url.absoluteString.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
        let size = Int.random(in: 0..<3000, using: &random)
        let course = Int.random(in: 0..<10, using: &random)
        if exchange.method == "HEAD" {
            return switch course {
            case 0: .fail(.timedOut)
            case 1: .status(404, ["Content-Length": "7"])
            case 2: .status(200, ["Content-Length": "\(size * 100)"])
            case 3: .status(200, ["Content-Length": "0"])
            default: .status(200, ["Content-Length": "\(size)"])
            }
        }
        return switch course {
        case 4: .fail(.networkConnectionLost)
        case 5: .respond(status: 200, headers: [:], body: Data(count: size))
        case 6: .status(503)
        case 7: .respond(status: 200, headers: ["Content-Length": "\(size / 2)"], body: Data(count: size))
        default: .ok(Data(count: size))
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>, [false, true])
    func `Progress never goes back, never exceeds 1, is 1 at the end alone, and is a number`(
        seed: UInt64, isAccurate: Bool
    )
        async
    {
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: seed.isMultiple(of: 2)) { Self.answer($0, seed: seed) },
            configure: {
                $0.showsAccurateProgress = isAccurate
                $0.cancelsAllOnFailure = seed.isMultiple(of: 5)
                $0.maxConcurrentRequestCount = 3
            },
            onEvent: { queue, event in
                if case .didReceiveHeaders(_, let head) = event, head.url.path() == "/7" { queue.add(.test("late")) }
            })
        rig.add(80)
        let clock = rig.clock
        async let ticking: Void = onThread { [queue = rig.queue] in
            repeat { clock.advance(by: .milliseconds(100)) } while queue.progress.phase != .finished
        }
        await rig.queue.run()
        await ticking
        var latest = 0.0
        let updates = rig.recorder.updates
        for update in updates {
            #expect(update.fractionCompleted >= latest && update.fractionCompleted <= 1, "seed \(seed)")
            latest = update.fractionCompleted
            for bytes in [update.download, update.upload] {
                #expect(bytes.transferred >= 0 && bytes.expected.map { $0 >= bytes.transferred } != false)
            }
            #expect(update.bytesPerSecond.map { $0.isFinite && $0 >= 1 } != false)
            #expect(update.estimatedTimeRemaining.map { $0 >= .zero } != false)
            let counts = update.counts
            #expect(
                counts.total == counts.waiting + counts.running + counts.finished + counts.failed + counts.cancelled)
        }
        #expect(updates.last?.fractionCompleted == 1)
        #expect(!updates.dropLast().contains { $0.fractionCompleted == 1 || $0.phase == .finished })
        let summary = rig.recorder.summaries[0]
        #expect(summary.counts == updates.last?.counts && summary.bytesReceived == updates.last?.download.transferred)
    }

    @Test func `Progress starts over with each run`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok(Data(count: 5)) })
        rig.add(3)
        await rig.queue.run()
        rig.transport.setScript { _ in .hold }
        rig.queue.add(.test("next"))
        #expect(rig.queue.progress.fractionCompleted == 0 && rig.queue.progress.counts.total == 1)
        #expect(rig.queue.progress.phase == .transferring)
        rig.queue.cancelAll()
    }

    @Test func `Progress of nothing at all is a number`() async {
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        #expect(rig.queue.progress == NetworkQueue.Progress())
        await rig.queue.run()
        #expect(rig.queue.progress.fractionCompleted == 1 && rig.queue.progress.bytesPerSecond == nil)
        #expect(rig.queue.progress.download == .init() && rig.queue.progress.estimatedTimeRemaining == nil)
    }

    @Test func `Progress of empty contents counts requests`() async {
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        rig.transport.setScript { $0.method == "HEAD" ? .status(200, ["Content-Length": "0"]) : .hold }
        rig.add(2)
        rig.queue.go()
        await rig.transport.exchange(2).answer(.ok())
        #expect(rig.queue.progress.fractionCompleted == 0.5)
        rig.queue.cancelAll()
    }

    @Test func `Progress has a rate and a remaining time when there is something to measure`() async {
        let rig = QueueRig()
        var request = NetworkRequest(.test("a"))
        request.expectedDownloadSize = 100_000
        rig.queue.showsAccurateProgress = true
        rig.queue.add(request)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "100000"])
        #expect(rig.queue.progress.bytesPerSecond == nil)
        for _ in 0..<40 {
            exchange.receive(Data(count: 1000))
            rig.advance(by: .milliseconds(500))
        }
        let progress = rig.queue.progress
        #expect(progress.bytesPerSecond.map { abs($0 - 2000) < 100 } == true)
        #expect(progress.estimatedTimeRemaining.map { abs($0.components.seconds - 30) <= 2 } == true)
        rig.advance(by: .seconds(70))
        #expect(rig.queue.progress.bytesPerSecond == nil && rig.queue.progress.estimatedTimeRemaining == nil)
        rig.queue.cancelAll()
    }

    // MARK: Faults of ASIHTTPRequest

    private func accurateRig(
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer = { _ in .hold }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport(script: script),
            configure: {
                $0.showsAccurateProgress = true
                $0.cancelsAllOnFailure = false
            })
    }

    private func request(_ path: String, size: Int64? = nil) -> NetworkRequest {
        var request = NetworkRequest(.test(path))
        request.expectedDownloadSize = size
        return request
    }

    @Test func `The length of a 401 page is not added to the total`() async {
        let rig = accurateRig { exchange in
            exchange.url.path() == "/locked"
                ? .respond(status: 401, headers: ["Content-Length": "50"], body: Data(count: 50)) : .hold
        }
        rig.queue.add(contentsOf: [request("locked", size: 10), request("open", size: 10)])
        rig.queue.go()
        await rig.recorder.wait { $0.contains { $0.kind == .didFail } }
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 10, isEstimated: false))
        rig.queue.cancelAll()
    }

    @Test func `The size of a response to a POST does not take progress back`() async {
        let rig = accurateRig()
        var post = NetworkRequest(.test("post"))
        post.urlRequest.httpMethod = "POST"
        post.body = .data(Data(count: 100))
        rig.queue.add(post)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.send(80)
        let before = rig.queue.progress.fractionCompleted
        exchange.receive(headers: ["Content-Length": "100000"])
        let after = rig.queue.progress
        #expect(before == 0.8 && after.fractionCompleted >= before)
        #expect(after.download.expected == 100_000)
        rig.queue.cancelAll()
    }

    @Test func `A request added late does not take progress back`() async {
        let rig = accurateRig()
        rig.queue.add(request("a", size: 100))
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "100"])
        exchange.receive(Data(count: 90))
        let before = rig.queue.progress.fractionCompleted
        rig.queue.add(request("b", size: 100_000))
        #expect(before == 0.9 && rig.queue.progress.fractionCompleted == before)
        #expect(rig.queue.progress.download.expected == 100_100)
        rig.queue.cancelAll()
    }
}
