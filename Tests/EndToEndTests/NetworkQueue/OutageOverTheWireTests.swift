import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OutageOverTheWireTests {
    /// netqueue of 6cd524d failed all files of a server that was away for four seconds (the report that is replayed as
    /// `outage_of_four_seconds`); the right number of failures is none.
    @Test(arguments: TransportKind.allCases)
    func `An outage in which six files fail four times each costs none of them`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) {
            $0.retryPolicy = .standard
            $0.retryPolicy.maxRetries = 1
            // On a machine under load the waits take longer.
            $0.retryPolicy.outageTolerance = .seconds(600)
        }
        let server = try ClosedPort()
        let operations = try (0..<6).map { rig.queue.add(try server.url("/\($0)")) }
        rig.queue.go()
        await rig.recorder.wait { events in
            operations.allSatisfy { operation in
                events.count { if case .willRetry(operation, _, _) = $0 { true } else { false } } >= 4
            }
        }
        try server.open(answering: "back", times: 6)
        await rig.recorder.waitForDrain()
        #expect(operations.allSatisfy { $0.data == Data("back".utf8) })
        let delays = rig.recorder.events.compactMap { event in
            if case .willRetry(_, let delay, _) = event { delay } else { nil }
        }
        #expect(delays.allSatisfy { $0 >= .milliseconds(500) })
    }
}
