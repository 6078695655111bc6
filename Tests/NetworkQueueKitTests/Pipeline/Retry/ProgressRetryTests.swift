import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// A download of 10 MiB that is cut again and again.
@Suite(.timeLimit(.minutes(10)))
struct ProgressRetryTests {
    private static let total = 10 << 20

    private let rig: QueueRig<NetworkQueue>

    init() throws {
        rig = QueueRig.started { $0.retryPolicy = .immediate(2) }
    }

    /// Cuts attempts, each after `size` bytes more, until the download has ended; returns how many there were.
    ///
    /// - Parameter continues: whether the server continues where it is asked to.
    private func run(cutAfter size: Int, continues: Bool = true, headers: HTTPHeaders = ["ETag": "\"v1\""]) async -> Int
    {
        let (operation, first) = await rig.start(rig.request())
        var exchange = first
        for number in 1...20 {
            let range = exchange.exchange.headers["Range"].flatMap { Int($0.drop { !$0.isNumber }.dropLast()) }
            let start = continues ? range ?? 0 : 0
            var fields = headers
            fields["Content-Length"] = "\(Self.total - start)"
            if start > 0 { fields["Content-Range"] = "bytes \(start)-\(Self.total - 1)/\(Self.total)" }
            exchange.receive(status: start > 0 ? 206 : 200, headers: fields)
            let count = min(size, Self.total - start)
            exchange.receive(Data(count: count))
            exchange.end(start + count == Self.total ? nil : .networkConnectionLost)
            if operation.error != nil || start + count == Self.total { break }
            exchange = await rig.transport.exchange(number)
        }
        await rig.end(of: operation)
        return operation.attempts
    }

    @Test func `Retries are counted anew whenever the download has come on by 1 MiB`() async throws {
        #expect(await run(cutAfter: 1 << 20) == 10)
        #expect(rig.folder.contents == ["file"])
    }

    /// Of less than 1 MiB, from the start each time, and without a tag to go on by.
    @Test(
        arguments: [
            (1 << 20 - 1, true, ["ETag": "\"v1\""]), (5 << 20, false, ["ETag": "\"v1\""]), (5 << 20, true, [:]),
        ] as [(Int, Bool, HTTPHeaders)])
    func `Retries are counted on if the download does not come on by 1 MiB`(
        size: Int, continues: Bool, headers: HTTPHeaders
    ) async {
        #expect(await run(cutAfter: size, continues: continues, headers: headers) == 3)
    }
}
