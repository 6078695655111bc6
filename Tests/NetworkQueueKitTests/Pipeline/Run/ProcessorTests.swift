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
        QueueRig(ScriptedTransport { _ in .text("content", status: status) }) {
            $0.processors = processors
            $0.retryPolicy = policy
        }
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
        let operation = await rig.run(.test("a") { $0.processors = [appending(" 3")] })
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
        let operation = await rig.run(download(to: folder.file("a")))
        #expect(operation.responseHead?.statusCode == 299 && operation.fileURL == moved)
        #expect(folder.contents == ["moved"])
    }

    @Test(arguments: [Refusal(), URLError(.timedOut), NetworkError(.validation)] as [any Error])
    func `A processor that throws fails the operation, stops those behind it, and the written file goes`(
        thrown: any Error
    ) async throws {
        let folder = try TemporaryFolder()
        let calls = Gathering<Void>()
        let rig = rig(
            .processor { _, _ in throw thrown },
            .processor { content, _ in
                calls.add(())
                return content
            }, policy: .immediate(3))
        let operation = await rig.run(download(to: folder.file("a")))
        // An error of URLSession's is no failure of the transport here, and not repeated.
        let code = (thrown as? NetworkError)?.code ?? .processing
        #expect(operation.error?.code == code && (thrown is NetworkError || operation.error?.underlying != nil))
        #expect(operation.attempts == 1 && rig.transport.exchanges.count == 1)
        #expect(operation.fileURL == nil && folder.contents.isEmpty && calls.values.isEmpty)
        #expect(rig.recorder.story(of: operation).last == "fail \(code)")
    }

    @Test(arguments: [404, 500, 302])
    func `A processor is not asked about a rejected response, whose page is in the error`(status: Int) async {
        let calls = Gathering<Void>()
        let rig = rig(
            .processor { content, _ in
                calls.add(())
                return content
            }, status: status)
        let error = await rig.run(.test("a")).error
        #expect(calls.values.isEmpty && error?.code == .httpStatus(status))
        #expect(error?.response?.head.statusCode == status && error?.response?.data == Data("content".utf8))
    }

    @Test func `A processor has no say about sizing requests`() async {
        let calls = Gathering<String>()
        let rig = QueueRig(ScriptedTransport { _ in .ok(Data(count: 3)) }) {
            $0.showsAccurateProgress = true
            $0.processors = [
                .processor { content, context in
                    calls.add(context.request.urlRequest.httpMethod ?? "")
                    return content
                }
            ]
        }
        await rig.run(.test("a"))
        #expect(calls.values == ["GET"])
    }

    @Test func `A processor that throws leaves the response in the error, with 64 KiB of its content`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok(Data(count: 100_000)) }) {
            $0.processors = [.processor { _, _ in throw Refusal() }]
        }
        let operation = await rig.run(.test("a"))
        let response = operation.error?.response
        #expect(response?.head.statusCode == 200 && response?.data?.count == 65_536)
    }

    // MARK: Processors that use the stored file

    /// Waits until it may end, and then throws, if it has something to throw.
    private struct FileUser: StoredFileProcessor {
        var failure: Refusal?
        let entered = Gathering<Void>()
        let opening = Gathering<Void>()

        func process(_ response: Response, in context: AttemptContext) async throws -> Response {
            entered.add(())
            _ = await opening.wait(count: 1)
            if let failure { throw failure }
            return response
        }
    }

    @Test func `A processor that uses the stored file may throw, and the file stays`() async throws {
        let folder = try TemporaryFolder()
        let user = FileUser(failure: Refusal())
        user.opening.add(())
        let operation = await rig(user, policy: .immediate(3)).run(download(to: folder.file("a")))
        #expect(operation.error?.code == .processing && operation.attempts == 1)
        #expect(try folder.read("a") == "content")
    }

    @Test(arguments: [nil, Refusal()])
    func `A cancellation waits for a processor that uses the stored file`(failure: Refusal?) async throws {
        let folder = try TemporaryFolder()
        let user = FileUser(failure: failure)
        let rig = rig(user)
        async let ended = rig.run(download(to: folder.file("a")))
        _ = await user.entered.wait(count: 1)
        rig.queue.cancelAll()
        user.opening.add(())
        let operation = await ended
        #expect(operation.status == (failure == nil ? .finished : .cancelled))
        #expect(folder.contents == ["a"])
    }
}
