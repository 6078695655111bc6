import LoopbackHTTP
import Testing

@testable import NetworkQueueKit

struct ShareMapTests {
    @Test
    func `The second half of the largest remainder is given out, down to the smallest part`() {
        var map = ShareMap(total: 100, present: [])
        let first = map.take(minimum: 20)
        #expect(first?.start == 0 && first?.limit == 100)
        _ = map.accept(20, for: first?.id ?? 0)
        let second = map.take(minimum: 20)
        #expect(second?.start == 60 && second?.limit == 100)
        let others = [map.take(minimum: 20), map.take(minimum: 20)]
        #expect(Set(others.map { $0?.start }) == [40, 80])
        #expect(map.take(minimum: 20) == nil && map.shares.count == 4)
    }

    @Test
    func `A file that is filled in pieces is given out from its beginning, and halves only at its end`() {
        var map = ShareMap(total: 100, present: [])
        map.pieceLength = 30
        let pieces = (0..<4).compactMap { _ in map.take(minimum: 5) }
        #expect(pieces.map(\.start) == [0, 30, 60, 90] && pieces.map(\.end) == [30, 60, 90, 100])
        // The first exchange delivers all of the file, each other one what it has asked for.
        #expect(pieces.map(\.limit) == [100, 60, 90, 100])
        #expect(map.take(minimum: 5)?.start == 15)
    }

    @Test
    func `The exchange that delivers all of a file goes on alone, piece by piece`() {
        var map = ShareMap(total: 100, present: [])
        map.pieceLength = 30
        let first = map.take(minimum: 5)?.id ?? 0
        #expect(map.accept(40, for: first) == 40)
        #expect(map[first]?.end == 60 && map.holes == [60..<100])
        let second = map.take(minimum: 5)
        #expect(second?.start == 60 && second?.end == 90)
        #expect(map.accept(40, for: first) == 20)
    }

    @Test
    func `What a share gives back goes to the one before it when that comes to its end`() {
        var map = ShareMap(total: 100, present: [])
        let first = map.take(minimum: 10)?.id ?? 0
        let second = map.take(minimum: 10)?.id ?? 0
        map.end(second)
        let place = map.accept(10, for: first)
        #expect(place == 10 && map.holes == [50..<100])
        let all = map.accept(45, for: first)
        #expect(all == 45 && map[first]?.end == 100 && map.holes.isEmpty)
        // One that is at its end is being stopped.
        let third = map.take(minimum: 10)?.id ?? 0
        let start = map[third]?.start ?? 0
        _ = map.accept(1, for: third)
        _ = map.accept(50, for: first)
        map.noteWritten(105, for: first)
        map.end(third)
        #expect(map.holes == [start..<100])
    }

    /// Whatever is given out, written, ended and given back: nothing is lost, and nothing belongs to two.
    @Test(arguments: 0..<16)
    func `Every byte is there, missing, or one share's`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let total = Int64.random(in: 1...2_000, using: &random)
        var map = ShareMap(total: total, present: [])
        if !seed.isMultiple(of: 3) { map.pieceLength = Int64.random(in: 1...total, using: &random) }
        var beginning: Int64 = 0
        var owners = [Int](repeating: 0, count: Int(total))
        for _ in 0..<20_000 where !map.isWhole {
            let share = map.shares.randomElement(using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where map.shares.count < 8: _ = map.take(minimum: Int64.random(in: 1...60, using: &random))
            case 1: if let share, Bool.random(using: &random) { map.end(share.id) }
            case 2: if let share { map.shorten(share.id, to: Int64.random(in: 0...total, using: &random)) }
            default:
                guard let share,
                    let own = map.accept(
                        Int.random(in: 1...50, using: &random), for: share.id, takesBack: Bool.random(using: &random))
                else { continue }
                for byte in share.next..<share.next + Int64(own) {
                    #expect(owners[Int(byte)] == 0, "written twice")
                    owners[Int(byte)] += 1
                }
                map.noteWritten(own, for: share.id)
                if own == 0 { map.end(share.id) }
            }
            var covered = [Int](repeating: 0, count: Int(total))
            let missing = map.shares.map { $0.written..<max($0.end, $0.written) } + map.holes
            for range in missing + map.present { for byte in range { covered[Int(byte)] += 1 } }
            try #require(covered.allSatisfy { $0 == 1 })
            let isStored = map.present.first.map { $0.lowerBound == 0 } == true
            try #require(map.beginning == (isStored ? map.present[0].upperBound : 0) && map.beginning >= beginning)
            beginning = map.beginning
        }
        #expect(map.isWhole && map.present == [0..<total])
    }
}
