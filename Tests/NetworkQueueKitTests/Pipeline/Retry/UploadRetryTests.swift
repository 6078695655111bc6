import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// nginx 1.22 (dav module) answers a PUT to a missing folder with 500, and netqueue of 6cd524d sent 50 MB to it four
/// times; the right number is two.
@Suite(.timeLimit(.minutes(10)))
struct UploadRetryTests {
    private func attempts(_ answers: [ScriptedTransport.Answer], size: Int = 1 << 20 + 1) async -> Int {
        let rig = QueueRig(configure: { $0.retryPolicy = .immediate(4) })
        let operation = rig.queue.add(.put(.test("a"), body: .data(Data(count: size))))
        rig.queue.go()
        for (number, answer) in answers.enumerated() {
            await rig.transport.exchange(number).answer(answer)
        }
        await rig.recorder.waitForDrain()
        return operation.attempts
    }

    @Test(arguments: [500, 502, 503, 504, 520])
    func `An upload of more than 1 MiB is not sent a third time after the same 5xx twice`(status: Int) async {
        #expect(await attempts([.status(status), .status(status)]) == 2)
        #expect(await attempts([.status(status), .fail(.timedOut), .status(status)]) == 3)
        let other = ScriptedTransport.Answer.status(status == 500 ? 503 : 500)
        #expect(await attempts([.status(status), other, .status(status)]) == 3)
    }

    @Test
    func `A failed upload is sent as often as the policy says if it is smaller or the server names a time`() async {
        let failures = Array(repeating: ScriptedTransport.Answer.status(500), count: 5)
        #expect(await attempts(failures, size: 1 << 20) == 5)
        #expect(await attempts(Array(repeating: .status(503, ["Retry-After": "0"]), count: 5)) == 5)
        #expect(await attempts(Array(repeating: .status(429, ["Retry-After": "0"]), count: 5)) == 5)
    }
}
