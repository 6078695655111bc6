import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SizeAnswerTests {
    typealias Answer = ScriptedTransport.Answer

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let head: Answer
        var range: Answer?
        let size: Int64?

        init(_ name: String, _ head: Answer, range: Answer? = nil, size: Int64?) {
            testDescription = name
            self.head = head
            self.range = range
            self.size = size
        }

        static let all = [
            Case("200 with a length", .status(200, ["Content-Length": "1000"]), size: 1000),
            Case("203 with a length", .status(203, ["Content-Length": "1000"]), size: 1000),
            Case("a promise, 202", .status(202, ["Content-Length": "1000"]), size: nil),
            Case("204 with a length", .status(204, ["Content-Length": "1000"]), size: nil),
            Case("200 of no bytes", .status(200, ["Content-Length": "0"]), size: 0),
            Case("200 without a length", .status(200), size: nil),
            Case("a coded length", .status(200, ["Content-Length": "10", "Content-Encoding": "gzip"]), size: nil),
            Case("a negative length", .status(200, ["Content-Length": "-5"]), size: nil),
            Case("an absurd length", .status(200, ["Content-Length": "99999999999999999999999"]), size: nil),
            Case("a length beyond belief", .status(200, ["Content-Length": "9223372036854774784"]), size: nil),
            Case("two lengths", .status(200, ["Content-Length": "5", "Content-Length": "6"]), size: nil),
            Case("nothing there, with a page about it", .status(404, ["Content-Length": "1000"]), size: nil),
            Case("nothing there any more", .status(410), size: nil),
            Case("the length of an error page, 500", .status(500, ["Content-Length": "1000"]), size: nil),
            Case("401", .status(401, ["Content-Length": "1000"]), size: nil),
            Case("a redirect to nowhere", .status(302, ["Content-Length": "1000"]), size: nil),
            Case("a refused connection", .fail(.cannotConnectToHost), size: nil),
            Case("a broken connection", .fail(.networkConnectionLost), size: nil),
            // Nothing more is asked: there are links that can be used once (psitransfer #365).
            Case("405", .status(405, ["Content-Length": "9"]), size: nil),
            Case("501", .status(501), size: nil),
            Case("403, then 206", .status(403), range: .status(206, ["Content-Range": "bytes 0-0/1234"]), size: 1234),
            Case(
                "403, then 416 with a total (WhiteNoise 6.12)", .status(403),
                range: .status(416, ["Content-Range": "bytes */1234"]), size: 1234),
            Case("403 with a length, then 500", .status(403, ["Content-Length": "9"]), range: .status(500), size: nil),
            Case(
                "403, then 206 of unknown total", .status(403), range: .status(206, ["Content-Range": "bytes 0-0/*"]),
                size: nil),
            Case(
                "403, then 206 without a range", .status(403), range: .status(206, ["Content-Length": "1"]), size: nil),
            Case(
                "403, then 206 with nonsense", .status(403), range: .status(206, ["Content-Range": "bytes 0-0/x1"]),
                size: nil),
            Case(
                "403, then 206 with nothing", .status(403), range: .status(206, ["Content-Range": "bytes 0-0/"]),
                size: nil),
            Case(
                "403, then 416 of an empty file", .status(403), range: .status(416, ["Content-Range": "bytes */0"]),
                size: 0),
            Case("403, then nothing there", .status(403), range: .status(404, ["Content-Length": "9"]), size: nil),
            Case("403, then 200 with a length", .status(403), range: .ok(Data(count: 777)), size: 777),
            Case(
                "403, then 200 with a coded length", .status(403),
                range: .status(200, ["Content-Length": "7", "Content-Encoding": "br"]), size: nil),
            Case("403, then a failure", .status(403), range: .fail(.timedOut), size: nil),
            Case("403 twice", .status(403), range: .status(403, ["Content-Length": "9"]), size: nil),
        ]
    }

    @Test(arguments: Case.all, [false, true])
    func `The expected size depends on the answer to the probe, which never fails the request`(
        answer: Case, isSynchronous: Bool
    ) async {
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { exchange in
            if exchange.method == "HEAD" { return answer.head }
            return exchange.headers.contains("Range") ? answer.range ?? .fail(.unknown) : .hold
        }
        let rig = QueueRig(transport, configure: { $0.showsAccurateProgress = true })
        let operation = rig.queue.add(.test("file"))
        rig.queue.go()
        let expected = answer.range == nil ? ["HEAD", "GET"] : ["HEAD", "GET", "GET"]
        await transport.waitForExchanges(expected.count)
        #expect(transport.exchanges.map(\.exchange.method) == expected)
        let ranges = transport.exchanges.compactMap { $0.exchange.headers["Range"] }
        #expect(ranges == (answer.range == nil ? [] : ["bytes=0-0"]))
        #expect(rig.queue.progress.download.expected == answer.size)
        transport.exchanges.last?.answer(.ok(Data("content".utf8)))
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"])
        #expect(rig.recorder.summaries[0].isSuccess && rig.recorder.updates.last?.fractionCompleted == 1)
        #expect(operation.data == Data("content".utf8))
    }

    @Test func `A server that ignores the range is stopped at its head`() async {
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        rig.queue.add(.test("file"))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(403))
        let range = await rig.transport.exchange(1)
        range.receive(status: 200, headers: ["Content-Length": "5000"])
        // Stopped: the exchange is over without a byte of the content.
        #expect(range.isOver)
        await rig.transport.waitForExchanges(3)
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 5000, isEstimated: false))
        rig.queue.cancelAll()
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirected HEAD stays a HEAD`(status: Int) async {
        let transport = ScriptedTransport { exchange in
            switch (exchange.method, exchange.url.path()) {
            case ("HEAD", "/file"): .status(status, ["Location": "/moved"])
            case ("HEAD", _): .status(200, ["Content-Length": "55"])
            default: .hold
            }
        }
        let rig = QueueRig(transport, configure: { $0.showsAccurateProgress = true })
        rig.queue.add(.test("file"))
        rig.queue.go()
        await transport.waitForExchanges(3)
        #expect(transport.exchanges.map { $0.exchange.method + $0.path } == ["HEAD/file", "HEAD/moved", "GET/file"])
        #expect(rig.queue.progress.download.expected == 55)
        rig.queue.cancelAll()
    }

    @Test func `The caller's estimate counts until a HEAD tells the size`() async {
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        var request = NetworkRequest(.test("file"))
        request.estimatedDownloadSize = 500
        rig.queue.add(request)
        rig.queue.go()
        let head = await rig.transport.exchange(0)
        #expect(head.exchange.method == "HEAD" && rig.queue.progress.download.expected == 500)
        head.answer(.status(200, ["Content-Length": "600"]))
        await rig.transport.waitForExchanges(2)
        #expect(rig.queue.progress.download.expected == 600)
        rig.queue.cancelAll()
    }

    @Test(arguments: [(404, true), (403, true), (410, true), (500, false)])
    func `A refusal after a HEAD that succeeded names the setting that avoids the HEAD`(status: Int, isNamed: Bool)
        async
    {
        for hasSucceeded in [true, false] {
            let transport = ScriptedTransport {
                $0.method == "HEAD" ? .status(hasSucceeded ? 200 : 405) : .status(status)
            }
            let rig = QueueRig(transport, configure: { $0.showsAccurateProgress = true })
            let operation = rig.queue.add(.test("once"))
            await rig.queue.run()
            let text = operation.error.map { String(reflecting: $0) } ?? ""
            #expect(text.contains("expectedDownloadSize") == (isNamed && hasSucceeded), "\(text)")
            #expect(operation.error?.description.contains("expectedDownloadSize") == false)
        }
    }

    @Test(arguments: [("10", 4), ("4", 10)])
    func `A HEAD that lies is corrected by the response`(told: String, real: Int) async {
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        rig.queue.add(.test("file"))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(200, ["Content-Length": told]))
        await rig.transport.exchange(1).answer(.ok(Data(count: real)))
        await rig.recorder.waitForDrain()
        let last = rig.recorder.updates.last
        #expect(last?.download == .init(transferred: Int64(real), expected: Int64(real), isEstimated: false))
        #expect(rig.recorder.updates.allSatisfy { $0.fractionCompleted <= 1 })
    }
}
