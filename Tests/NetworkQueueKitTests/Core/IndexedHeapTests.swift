import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct IndexedHeapTests {
    @Test
    func `The smallest rank comes first, and ranks can change`() {
        var heap = IndexedHeap()
        #expect(heap.first == nil)
        heap.set(3, rank: 30)
        heap.set(1, rank: 10)
        heap.set(2, rank: 20)
        #expect(heap.first == 1)
        heap.set(1, rank: 25)
        #expect(heap.first == 2)
        heap.set(3, rank: 5)
        #expect(heap.first == 3)
        heap.remove(3)
        heap.remove(3)
        heap.remove(99)
        #expect(heap.first == 2)
        #expect(heap.count == 2)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `The heap agrees with a dictionary that is searched`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var heap = IndexedHeap()
        var ranks: [UInt32: UInt64] = [:]
        for step in 0..<20_000 {
            let id = UInt32.random(in: 0..<40, using: &random)
            if Bool.random(using: &random) {
                let rank = UInt64.random(in: 0..<1000, using: &random) << 16 | UInt64(id)
                heap.set(id, rank: rank)
                ranks[id] = rank
            } else {
                heap.remove(id)
                ranks[id] = nil
            }
            let expected = ranks.min { $0.value < $1.value }?.key
            guard heap.first == expected, heap.count == ranks.count else {
                Issue.record("step \(step): \(String(describing: heap.first)) is not \(String(describing: expected))")
                return
            }
        }
    }
}
