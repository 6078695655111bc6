import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// The settings that both queues and their configurations have.
@Suite(.timeLimit(.minutes(10)))
struct QueueSettingsTests {
    @Test func `The settings have the defaults of each kind of queue`() {
        let one = RequestQueue.Configuration()
        #expect(one.maxConcurrentRequestCount == 2 && !one.allowsDuplicateRequests)
        let batch = NetworkQueue.Configuration()
        #expect(batch.maxConcurrentRequestCount == 4 && batch.allowsDuplicateRequests)
        #expect(one.duplicatePolicy == .cancelEarlier && batch.duplicatePolicy == .allow)
        #expect(one.mode == .firstInFirstOut && batch.mode == .firstInFirstOut)
        #expect(one.maxConcurrentRequestCountPerHost == nil && batch.maxConcurrentRequestCountPerHost == nil)
        #expect(one.maxBytesPerSecond == nil && batch.maxBytesPerSecond == nil)
        #expect(one.requestRate == nil && batch.requestRatePerHost == nil)
    }

    @Test func `Negative settings of a configuration read back as 0`() {
        var one = RequestQueue.Configuration()
        one.maxConcurrentRequestCount = -1
        one.maxConcurrentRequestCountPerHost = -2
        one.maxBytesPerSecond = -3
        #expect(one.maxConcurrentRequestCount == 0 && one.maxConcurrentRequestCountPerHost == 0)
        #expect(one.maxBytesPerSecond == 0)
        var batch = NetworkQueue.Configuration()
        batch.maxConcurrentRequestCount = -1
        batch.maxConcurrentRequestCountPerHost = -2
        batch.maxBytesPerSecond = -3
        batch.maxConcurrentSizingCount = -4
        #expect(batch.maxConcurrentRequestCount == 0 && batch.maxConcurrentRequestCountPerHost == 0)
        #expect(batch.maxBytesPerSecond == 0 && batch.maxConcurrentSizingCount == 0)
    }

    @Test func `The settings go from a configuration to its queue, one by one`() {
        var one = RequestQueue.Configuration()
        one.maxConcurrentRequestCount = 7
        one.maxConcurrentRequestCountPerHost = 3
        one.mode = .lastInFirstOut
        one.allowsDuplicateRequests = true
        one.maxBytesPerSecond = 1000
        one.requestRate = RequestRate(9, per: .seconds(2))
        one.requestRatePerHost = RequestRate(3, per: .seconds(4))
        let queue = RequestQueue(configuration: one, transport: ScriptedTransport())
        #expect(queue.maxConcurrentRequestCount == 7 && queue.maxConcurrentRequestCountPerHost == 3)
        #expect(queue.mode == .lastInFirstOut && queue.allowsDuplicateRequests && queue.maxBytesPerSecond == 1000)
        #expect(queue.requestRate == one.requestRate && queue.requestRatePerHost == one.requestRatePerHost)

        let rig = QueueRig {
            $0.maxConcurrentRequestCount = 7
            $0.maxConcurrentRequestCountPerHost = 3
            $0.maxConcurrentSizingCount = 5
            $0.mode = .lastInFirstOut
            $0.allowsDuplicateRequests = false
            $0.maxBytesPerSecond = 1000
        }
        let batch = rig.queue
        #expect(batch.maxConcurrentRequestCount == 7 && batch.maxConcurrentRequestCountPerHost == 3)
        #expect(batch.mode == .lastInFirstOut && !batch.allowsDuplicateRequests && batch.maxBytesPerSecond == 1000)
        #expect(batch.maxConcurrentSizingCount == 5)
    }

    @Test func `The policy for duplicates and its shorthand are one setting`() {
        let batch = QueueRig().queue
        batch.duplicatePolicy = .cancelEarlier
        #expect(!batch.allowsDuplicateRequests)
        batch.allowsDuplicateRequests = true
        #expect(batch.duplicatePolicy == .allow)
        var configuration = RequestQueue.Configuration()
        configuration.duplicatePolicy = .allow
        #expect(configuration.allowsDuplicateRequests)
        #expect(RequestQueue(configuration: configuration, transport: ScriptedTransport()).duplicatePolicy == .allow)
    }

    @Test func `The settings leave one another as they are when one of them changes`() {
        let batch = QueueRig().queue
        batch.maxConcurrentRequestCount += 3
        batch.maxConcurrentRequestCountPerHost = -1
        batch.maxConcurrentSizingCount = -1
        batch.mode = .lastInFirstOut
        batch.maxBytesPerSecond = 0
        batch.allowsDuplicateRequests.toggle()
        #expect(batch.maxConcurrentRequestCount == 7 && batch.maxConcurrentRequestCountPerHost == 0)
        #expect(batch.maxConcurrentSizingCount == 0 && batch.mode == .lastInFirstOut)
        #expect(batch.maxBytesPerSecond == 0 && !batch.allowsDuplicateRequests)
        batch.reset()
        #expect(batch.maxConcurrentRequestCount == 7 && batch.maxConcurrentSizingCount == 0)
    }
}
