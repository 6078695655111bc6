import Foundation
import NetworkQueueKit
import TestSupport
import Testing

/// Made by hand, as in a preview: this file has no more than the public names.
struct SummaryTests {
    @Test func `A summary can be made by hand, with its failures`() {
        let operation = RequestOperation(NetworkRequest(.test("a")))
        let failure = NetworkQueue.Summary.Failure(operation: operation, error: NetworkError(.timedOut))
        let summary = NetworkQueue.Summary(
            counts: .init(finished: 2, failed: 1), failures: [failure], duration: .seconds(3), bytesReceived: 4,
            bytesSent: 5)
        #expect(summary.firstFailure?.operation === operation && summary.firstFailure?.error.code == .timedOut)
        #expect(summary.failures.count == 1 && summary.counts.total == 3 && !summary.isSuccess)
        #expect(summary.duration == .seconds(3) && summary.bytesReceived == 4 && summary.bytesSent == 5)
        let success = NetworkQueue.Summary(counts: .init(finished: 2))
        #expect(success.isSuccess && success.failures.isEmpty && success.duration == .zero)
    }
}
