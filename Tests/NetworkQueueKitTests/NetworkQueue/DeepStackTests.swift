import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct DeepStackTests {
    enum Course: CaseIterable {
        case succeeding, failing, failingOnce, sized, canceledOneByOne
    }

    /// With a hundred bytes for each, they would overflow the stack of a thread of Dispatch.
    private static let count = 5_000

    @Test(arguments: Course.allCases)
    func `Five thousand requests pile up no stack frames, however they end`(course: Course) async {
        let transport = ScriptedTransport(isSynchronous: true, keepsExchanges: false) { _ in
            switch course {
            case .succeeding, .sized: .ok(Data("x".utf8))
            case .failing, .failingOnce: .fail(.cannotConnectToHost)
            case .canceledOneByOne: .hold
            }
        }
        let rig = QueueRig(
            transport,
            configure: {
                $0.cancelsAllOnFailure = course == .failingOnce
                $0.showsAccurateProgress = course == .sized
            })
        let tally = TallyDelegate()
        rig.queue.delegate = tally
        let operations = rig.add(Self.count)
        // On a thread of Dispatch, whose stack is small.
        rig.callbacks.async {
            rig.queue.go()
            if course == .canceledOneByOne { for operation in operations { operation.cancel() } }
        }
        await tally.waitForDrain()
        let counts = tally.tally.lastCounts
        switch course {
        case .succeeding: #expect(counts == .init(finished: Self.count))
        case .failing: #expect(counts == .init(failed: Self.count))
        case .failingOnce: #expect(counts == .init(failed: 1, cancelled: Self.count - 1))
        case .sized: #expect(counts == .init(finished: Self.count) && transport.counts.started == 2 * Self.count)
        case .canceledOneByOne: #expect(counts == .init(cancelled: Self.count))
        }
        #expect(tally.tally.drains == 1)
    }
}
