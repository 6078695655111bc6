import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RejectionTests {
    private let rig = QueueRig()

    @Test
    func `A rejected response leaves its destination alone, as its head is judged before any content`() async throws {
        let folder = try TemporaryFolder()
        let operation = rig.queue.add(.test("a") { $0.destination = .file(folder.file("a")) })
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(status: 404, headers: ["Content-Length": "5"])
        exchange.receive(Data("sorry".utf8))
        #expect(folder.contents.isEmpty && rig.queue.progress.download.transferred == 0)
        exchange.end()
        await rig.recorder.waitForDrain()
        #expect(folder.contents.isEmpty)
        #expect(operation.error?.code == .httpStatus(404) && operation.responseHead?.statusCode == 404)
        #expect(rig.recorder.story(of: operation) == ["start", "head 404", "fail httpStatus(404)"])
    }

    @Test func `A rejected response is stopped after 64 KiB of its error page, which are kept`() async {
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(status: 500)
        for byte in UInt8(0)..<2 {
            guard case .proceed = exchange.receive(Data(repeating: byte, count: 32 * 1024)) else {
                Issue.record("stopped at \(byte)")
                return
            }
        }
        guard case .stop = exchange.receive(Data([9])) else {
            Issue.record("not stopped")
            return
        }
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .httpStatus(500))
        #expect(operation.error?.response?.data == Data(count: 32 * 1024) + Data(repeating: 1, count: 32 * 1024))
    }

    @Test func `A response is rejected by the request's own rule, whatever the queue's says`() async {
        rig.transport.setScript { _ in
            .text("x", ["Content-Type": "text/html"])
        }
        let rejected = rig.queue.add(.test("a") { $0.validation = .contentTypes(["application/json"]) })
        let accepted = rig.queue.add(.test("b"))
        rig.queue.cancelsAllOnFailure = false
        await rig.queue.run()
        #expect(rejected.error?.code == .validation && accepted.error == nil)
        #expect(rejected.error?.response?.data == Data("x".utf8))
    }

    @Test func `A response that a custom validation rejects is not repeated`() async {
        rig.transport.setScript { _ in .status(503) }
        let operation = await rig.run(
            .test("a") {
                $0.validation = ResponseValidation.custom { _ in throw Refusal() }
                $0.retryPolicy = .immediate(3)
            })
        #expect(operation.attempts == 1 && operation.error?.code == .validation)
    }
}
