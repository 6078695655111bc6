import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// `progress`, `progressUpdates` and the event of the queue.
@Suite(.timeLimit(.minutes(10)))
struct OperationProgressTests {
    @Test func `The progress of an operation has its bytes, its fraction, its speed and the time that is left`()
        async throws
    {
        let rig = QueueRig()
        let operation = rig.add(1)[0]
        #expect(operation.progress == OperationProgress())
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "4000"])
        #expect(operation.progress.fractionCompleted == 0 && operation.progress.download.expected == 4000)
        rig.clock.advance(by: .seconds(1))
        exchange.receive(Data(count: 1000))
        let progress = operation.progress
        #expect(progress.download.transferred == 1000 && progress.fractionCompleted == 0.25)
        #expect(progress.bytesPerSecond == 1000 && progress.estimatedTimeRemaining == .seconds(3))
        exchange.receive(Data(count: 3000))
        exchange.end()
        _ = try await operation.response()
        #expect(
            operation.progress
                == OperationProgress(download: .init(transferred: 4000, expected: 4000), fractionCompleted: 1))
    }

    @Test func `Bytes that a retry goes on behind count as transferred, and not as speed again`() async throws {
        let rig = QueueRig.started { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero)) }
        let (operation, first) = await rig.start(rig.request())
        #expect(operation.progress.bytesPerSecond == nil)
        first.receive(headers: ["ETag": "\"v1\"", "Content-Length": "10"])
        rig.clock.advance(by: .seconds(1))
        first.receive(Data("01234".utf8))
        #expect(operation.progress.bytesPerSecond == 5)
        first.end(.networkConnectionLost)
        let second = await rig.transport.exchange(1)
        rig.clock.advance(by: .seconds(1))
        second.receive(
            status: 206, headers: ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\"", "Content-Length": "5"])
        #expect(operation.progress.download == .init(transferred: 5, expected: 10))
        // Five bytes in two seconds, the latest of which counts for more.
        #expect(try #require(operation.progress.bytesPerSecond) < 2.5)
        second.receive(Data("56789".utf8))
        second.end()
        await rig.end(of: operation)
    }

    @Test func `The speed of a paused operation is measured anew`() async throws {
        let rig = QueueRig.started()
        let (operation, first) = await rig.start(rig.request())
        #expect(operation.progress.bytesPerSecond == nil)
        first.receive(headers: ["ETag": "\"v1\"", "Content-Length": "9000"])
        rig.advance(by: .seconds(1))
        first.receive(Data(count: 1000))
        #expect(operation.progress.bytesPerSecond == 1000)
        operation.pause()
        await rig.transport.wait { $0.isQuiet }
        rig.settle()
        #expect(operation.progress.bytesPerSecond == nil && operation.status == .paused)
        rig.advance(by: .seconds(20))
        operation.resume()
        let second = await rig.transport.exchange(1)
        rig.settle()
        second.receive(
            status: 206,
            headers: ["Content-Range": "bytes 1000-8999/9000", "ETag": "\"v1\"", "Content-Length": "8000"])
        rig.advance(by: .seconds(1))
        second.receive(Data(count: 2000))
        #expect(operation.progress.bytesPerSecond == 2000)
        #expect(operation.bytesMoved == 3000)
        operation.cancel()
        await rig.end(of: operation)
    }

    @Test func `The fraction of an upload is that of its content, whatever the response has`() async throws {
        let rig = QueueRig()
        let operation = rig.queue.add(.put(.test("a"), body: .data(Data(count: 100))))
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.send(50)
        #expect(operation.progress.upload == .init(transferred: 50, expected: 100))
        #expect(operation.progress.fractionCompleted == 0.5)
        exchange.answer(.ok())
        _ = try await operation.response()
    }

    @Test func `Updates of the progress come ten times a second at most, and once more at the end`() async throws {
        let rig = QueueRig()
        let operation = rig.add(1)[0]
        let updates = Gathering<Int64>()
        let stream = operation.progressUpdates
        let reader = Task { for await progress in stream { updates.add(progress.download.transferred) } }
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "100"])
        for _ in 0..<10 { exchange.receive(Data(count: 5)) }
        rig.advance(by: .milliseconds(99))
        #expect(updates.values == [])
        rig.advance(by: .milliseconds(1))
        #expect(await updates.wait(count: 1) == [50])
        exchange.receive(Data(count: 50))
        exchange.end()
        await reader.value
        #expect(updates.values == [50, 100])
        var late = 0
        for await progress in operation.progressUpdates { late += Int(progress.download.transferred) }
        #expect(late == 100)
    }

    @Test func `No progress of an operation is told after its end`() async throws {
        let rig = QueueRig()
        let events = rig.queue.events()
        let operations = rig.add(2)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "10"])
        exchange.receive(Data(count: 10))
        exchange.end()
        _ = try await operations[0].response()
        rig.advance(by: .seconds(1))
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain(1)
        var kinds: [NetworkQueue.Event.Kind] = []
        for await event in events where event.operation === operations[0] { kinds.append(event.kind) }
        #expect(kinds == [.didStart, .didReceiveHeaders, .didFinish])
    }

    @Test func `The events of a queue have the progress of its operations, the newest of each`() async throws {
        let rig = QueueRig()
        let events = rig.queue.events()
        let operation = rig.add(1)[0]
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "30"])
        for _ in 0..<3 {
            rig.advance(by: .milliseconds(100))
            exchange.receive(Data(count: 10))
        }
        rig.advance(by: .milliseconds(100))
        exchange.end()
        await rig.recorder.waitForDrain(1)
        var progresses: [Int64] = []
        for await event in events {
            if case .didProgress(operation, let progress) = event { progresses.append(progress.download.transferred) }
        }
        #expect(progresses == [30])
    }
}
