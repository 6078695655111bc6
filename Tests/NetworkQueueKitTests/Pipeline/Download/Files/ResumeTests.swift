import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct ResumeTests {
    @Test
    func `An interrupted download leaves its part and a sidecar, and the next one asks for the rest`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        #expect(rig.folder.contents == QueueRig.partFiles())
        #expect(try rig.folder.read("file.nqk.part") == "01234")
        let (_, exchange) = await rig.start(rig.request())
        #expect(exchange.exchange.headers["Range"] == "bytes=5-")
        #expect(exchange.exchange.headers["If-Range"] == "\"v1\"")
        // weborf 0.19 takes the first field that ends in “Range” for it, and answers 400 to a tag.
        #expect(exchange.exchange.headers.map(\.name).prefix(2) == ["Range", "If-Range"])
    }

    @Test(arguments: ResumeAnswer.all)
    func `A download goes on, starts over or fails as the server's answer says`(_ row: ResumeAnswer) async throws {
        let rig = QueueRig.started()
        var answers = [row.answer]
        if case .startsOver = row.outcome { answers.append(.ok("replaced")) }
        if case .isBeginning = row.outcome { answers.append(.rest("9", from: 9)) }
        let operation = await rig.resume(answers: answers)

        let last = try #require(rig.transport.exchanges.last).exchange
        switch row.outcome {
        case .goesOn, .isBeginning:
            #expect(try rig.folder.read("file") == "0123456789")
            #expect(operation.responseHead?.statusCode == row.status && operation.metrics?.bytesReceived == 5)
            #expect(rig.queue.progress.download.transferred == 10)
        case .isWhole, .isComplete:
            #expect(try rig.folder.read("file") == row.body)
            #expect(rig.queue.progress.download.transferred == Int64(row.body.utf8.count))
        case .startsOver:
            #expect(try rig.folder.read("file") == "replaced")
            #expect(!last.headers.contains("Range") && !last.headers.contains("If-Range"))
            #expect(rig.queue.progress.download.transferred == 8)
        case .fails(let code):
            #expect(operation.error?.code == code)
            #expect(rig.folder.contents == QueueRig.partFiles())
            return
        }
        #expect(operation.error == nil && operation.fileURL == rig.folder.file("file"))
        #expect(operation.attempts == 1)
        #expect(rig.folder.contents == ["file"])
    }

    @Test(
        arguments: [
            ([:], false), (["ETag": "\"v1\""], true), (["ETag": "\"v2\""], false), (["Last-Modified": "x"], false),
        ]
            as [(HTTPHeaders, Bool)])
    func `A 416 completes a part that has all bytes if it is of the same state`(
        _ headers: HTTPHeaders, isCompleted: Bool
    ) async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request(), after: "0123456789")
        let asked = rig.transport.exchanges.count
        var headers = headers
        headers["Content-Range"] = "bytes */10"
        headers["Content-Length"] = "5"
        var answers = [ScriptedTransport.Answer.text("sorry", status: 416, headers)]
        if !isCompleted { answers.append(.ok("replaced")) }
        let operation = await rig.run(rig.request(), answers: answers)
        // Its last bytes once more: what servers answer to a range behind the last byte cannot be relied on.
        #expect(rig.transport.exchanges[asked].exchange.headers["Range"] == "bytes=8-")
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == (isCompleted ? "0123456789" : "replaced"))
        #expect(rig.folder.contents == ["file"])
        #expect(rig.queue.progress.download.transferred == (isCompleted ? 10 : 8))
    }

    @Test
    func `A retry goes on where the attempt before was cut, and its bytes count once the server agrees`() async throws {
        let rig = QueueRig.started { $0.retryPolicy = RetryPolicy(maxRetries: 2, backoff: .constant(.seconds(1))) }
        let (operation, first) = await rig.start(rig.request())
        first.receive(headers: ["Content-Length": "10", "ETag": "\"v1\""])
        first.receive(Data("01234".utf8))
        first.end(.networkConnectionLost)
        #expect(rig.queue.progress.download.transferred == 0)
        #expect(rig.queue.progress.download.expected == 10)
        rig.advance(by: .seconds(1))
        let second = await rig.transport.exchange(1)
        #expect(second.exchange.headers["Range"] == "bytes=5-")
        second.receive(
            status: 206, headers: ["Content-Length": "5", "Content-Range": "bytes 5-9/10", "ETag": "\"v1\""])
        #expect(rig.queue.progress.download.transferred == 5)
        #expect(rig.queue.progress.download.expected == 10)
        second.receive(Data("567".utf8))
        second.end(.timedOut)
        #expect(rig.queue.progress.download.transferred == 0)
        rig.advance(by: .seconds(1))
        let third = await rig.transport.exchange(2)
        #expect(third.exchange.headers["Range"] == "bytes=8-")
        third.answer(.text("89", status: 206, ["Content-Range": "bytes 8-9/10", "ETag": "\"v1\""]))
        await rig.end(of: operation)
        #expect(operation.attempts == 3 && operation.metrics?.bytesReceived == 2)
        #expect(try rig.folder.read("file") == "0123456789")
    }

    @Test
    func `The progress handler counts resumed and new bytes in one total`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        let operation = RequestOperation(rig.request())
        let progress = Gathering<[Int64?]>()
        operation.downloadProgressHandler = { _, bytes, total in progress.add([bytes, total]) }
        rig.queue.add(operation)
        await rig.transport.exchange(1).answer(.rest())
        #expect(await progress.wait(count: 1) == [[10, 10]])
    }

    @Test
    func `A validation that wants 200 accepts a 206 that continues a 200`() async throws {
        let rig = QueueRig.started { $0.validation = .statusCodes([200]) }
        #expect(await rig.resume(answers: [.rest()]).error == nil)
    }

    @Test
    func `A download is resumed by its date if it has no tag`() async throws {
        let rig = QueueRig.started()
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        await rig.interrupt(rig.request(), headers: ["Last-Modified": date, "Date": "Sun, 06 Nov 1994 08:49:38 GMT"])
        let (_, exchange) = await rig.start(rig.request())
        #expect(exchange.exchange.headers["If-Range"] == date)
    }
}
