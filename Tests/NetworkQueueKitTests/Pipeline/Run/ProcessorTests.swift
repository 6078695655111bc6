import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ProcessorTests {
    private func rig(_ processors: any ResponseProcessor..., status: Int = 200, policy: RetryPolicy = .never)
        -> QueueRig<NetworkQueue>
    {
        QueueRig(
            ScriptedTransport { _ in .respond(status: status, headers: [:], body: Data("content".utf8)) },
            configure: {
                $0.processors = processors
                $0.retryPolicy = policy
            })
    }

    private func appending(_ text: String) -> any ResponseProcessor {
        .processor { content, _ in
            await Task.yield()
            var content = content
            content.data?.append(contentsOf: text.utf8)
            return content
        }
    }

    private func download(to file: URL) -> NetworkRequest {
        var request = NetworkRequest(.test("a"))
        request.destination = .file(file)
        return request
    }

    @Test func `Processors change what the operation ends with, the queue's before the request's own`() async {
        let rig = rig(appending(" 1"), appending(" 2"))
        var request = NetworkRequest(.test("a"))
        request.processors = [appending(" 3")]
        let operation = rig.queue.add(request)
        await rig.queue.run()
        #expect(operation.data == Data("content 1 2 3".utf8))
        #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"])
    }

    @Test func `A processor may put another head and another file in place`() async throws {
        let folder = try TemporaryFolder()
        let moved = folder.file("moved")
        let rig = rig(
            .processor { content, _ in
                var content = content
                content.head.statusCode = 299
                try FileManager.default.moveItem(at: #require(content.fileURL), to: moved)
                content.fileURL = moved
                return content
            })
        let operation = rig.queue.add(download(to: folder.file("a")))
        await rig.queue.run()
        #expect(operation.responseHead?.statusCode == 299 && operation.fileURL == moved)
        #expect(folder.contents == ["moved"])
    }

    @Test func `A processor that throws fails the operation with processing, and the written file goes`() async throws {
        let folder = try TemporaryFolder()
        let rig = rig(.processor { _, _ in throw Refusal() }, policy: .immediate(3))
        let operation = rig.queue.add(download(to: folder.file("a")))
        await rig.queue.run()
        #expect(operation.error?.code == .processing && operation.error?.underlying is Refusal)
        #expect(operation.attempts == 1 && operation.fileURL == nil)
        #expect(folder.contents.isEmpty)
        #expect(rig.recorder.story(of: operation).last == "fail processing")
    }

    @Test func `A processor's URLError is no failure of the transport, and nothing is repeated`() async {
        let rig = rig(.processor { _, _ in throw URLError(.timedOut) }, policy: .immediate(3))
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(operation.error?.code == .processing && operation.attempts == 1)
        #expect(rig.transport.exchanges.count == 1)
    }

    @Test func `A processor that throws a NetworkError fails the operation with that error`() async {
        let rig = rig(.processor { _, _ in throw NetworkError(.validation, underlying: Refusal()) })
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(operation.error?.code == .validation)
    }

    @Test func `A processor that throws stops those behind it`() async {
        let calls = Gathering<Void>()
        let rig = rig(
            .processor { _, _ in throw Refusal() },
            .processor { content, _ in
                calls.add(())
                return content
            })
        rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(calls.values.isEmpty)
    }

    @Test(arguments: [404, 500, 302])
    func `A processor is not asked about a rejected response`(status: Int) async {
        let calls = Gathering<Void>()
        let rig = rig(
            .processor { content, _ in
                calls.add(())
                return content
            }, status: status)
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(calls.values.isEmpty && operation.error?.code == .httpStatus(status))
    }

    @Test func `A processor has no say about sizing requests`() async {
        let calls = Gathering<String>()
        let rig = QueueRig(
            ScriptedTransport { _ in .ok(Data(count: 3)) },
            configure: {
                $0.showsAccurateProgress = true
                $0.processors = [
                    .processor { content, context in
                        calls.add(context.request.urlRequest.httpMethod ?? "")
                        return content
                    }
                ]
            })
        rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(calls.values == ["GET"])
    }

    @Test(arguments: [false, true])
    func `A processor that never returns does not hold up a cancelled operation, and its file goes`(all: Bool)
        async throws
    {
        let folder = try TemporaryFolder()
        let entered = Gathering<Void>()
        let rig = rig(
            .processor { content, _ in
                entered.add(())
                await hang()
                return content
            })
        let operation = rig.queue.add(download(to: folder.file("a")))
        rig.queue.go()
        _ = await entered.wait(count: 1)
        #expect(folder.contents == ["a"])
        if all { rig.queue.cancelAll() } else { operation.cancel() }
        await rig.recorder.waitForDrain()
        #expect(operation.status == .cancelled && folder.contents.isEmpty)
    }

    @Test func `A processor keeps the operation's slot while it works`() async {
        let entered = Gathering<Void>()
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            configure: {
                $0.maxConcurrentRequestCount = 1
                $0.processors = [
                    .processor { content, context in
                        if context.request.url.path() == "/0" {
                            entered.add(())
                            while !Task.isCancelled { await Task.yield() }
                        }
                        return content
                    }
                ]
            })
        let operations = rig.add(2)
        rig.queue.go()
        _ = await entered.wait(count: 1)
        #expect(rig.transport.exchanges.count == 1 && operations[0].status == .running)
        operations[0].cancel()
        await rig.recorder.waitForDrain()
        #expect(operations[1].status == .finished)
    }

    @Test func `A processor that throws leaves the response in the error, with 64 KiB of its content`() async {
        let rig = QueueRig(
            ScriptedTransport { _ in .ok(Data(count: 100_000)) },
            configure: { $0.processors = [.processor { _, _ in throw Refusal() }] })
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        let response = operation.error?.response
        #expect(response?.head.statusCode == 200 && response?.data?.count == 65_536)
    }

    @Test func `A processor leaves a response that the validation rejects alone, and its page is in the error`() async {
        let rig = rig(.processor { response, _ in response }, status: 404)
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        let response = operation.error?.response
        #expect(response?.head.statusCode == 404 && response?.data == Data("content".utf8))
    }
}
