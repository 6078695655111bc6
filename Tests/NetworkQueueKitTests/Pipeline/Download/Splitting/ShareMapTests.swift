import LoopbackHTTP
import Testing

@testable import NetworkQueueKit

struct ShareMapTests {
    @Test
    func `The second half of the largest remainder is given out, down to the smallest part`() {
        var map = ShareMap(total: 100, present: [])
        let first = map.take(minimum: 20, at: .zero)
        #expect(first?.start == 0 && first?.limit == 100)
        _ = map.accept(20, for: first?.id ?? 0, at: .zero)
        let second = map.take(minimum: 20, at: .zero)
        #expect(second?.start == 60 && second?.limit == 100)
        let others = [map.take(minimum: 20, at: .zero), map.take(minimum: 20, at: .zero)]
        #expect(Set(others.map { $0?.start }) == [40, 80])
        #expect(map.take(minimum: 20, at: .zero) == nil && map.shares.count == 4)
    }

    @Test
    func `A file that is filled in pieces is given out from its beginning, and halves only at its end`() {
        var map = ShareMap(total: 100, present: [])
        map.pieceLength = 30
        let pieces = (0..<4).compactMap { _ in map.take(minimum: 5, at: .zero) }
        #expect(pieces.map(\.start) == [0, 30, 60, 90] && pieces.map(\.end) == [30, 60, 90, 100])
        // The first exchange delivers all of the file, each other one what it has asked for.
        #expect(pieces.map(\.limit) == [100, 60, 90, 100])
        #expect(map.take(minimum: 5, at: .zero)?.start == 15)
    }

    @Test
    func `The exchange that delivers all of a file goes on alone, piece by piece`() {
        var map = ShareMap(total: 100, present: [])
        map.pieceLength = 30
        let first = map.take(minimum: 5, at: .zero)?.id ?? 0
        #expect(map.accept(40, for: first, at: .zero) == 40)
        #expect(map[first]?.end == 60 && map.holes == [60..<100])
        let second = map.take(minimum: 5, at: .zero)
        #expect(second?.start == 60 && second?.end == 90)
        #expect(map.accept(40, for: first, at: .zero) == 20)
    }

    @Test
    func `What a share gives back goes to the one before it when that comes to its end`() {
        var map = ShareMap(total: 100, present: [])
        let first = map.take(minimum: 10, at: .zero)?.id ?? 0
        let second = map.take(minimum: 10, at: .zero)?.id ?? 0
        map.end(second)
        let place = map.accept(10, for: first, at: .zero)
        #expect(place == 10 && map.holes == [50..<100])
        let all = map.accept(45, for: first, at: .zero)
        #expect(all == 45 && map[first]?.end == 100 && map.holes.isEmpty)
        // One that is at its end is being stopped.
        let third = map.take(minimum: 10, at: .zero)?.id ?? 0
        let start = map[third]?.start ?? 0
        _ = map.accept(1, for: third, at: .zero)
        _ = map.accept(50, for: first, at: .zero)
        map.noteWritten(105, for: first)
        map.end(third)
        #expect(map.holes == [start..<100])
    }

    @Test
    func `What a share gives back joins what is missing before and after it`() {
        var map = ShareMap(total: 100, present: [])
        map.pieceLength = 30
        let pieces = (0..<4).compactMap { _ in map.take(minimum: 5, at: .zero)?.id }
        map.end(pieces[1])
        map.end(pieces[3])
        #expect(map.holes == [30..<60, 90..<100])
        map.end(pieces[2])
        #expect(map.holes == [30..<100])
    }

    /// A map of two shares of 500,000 bytes, of which the second was answered after half a second and has arrived.
    private func mapWithSlowShare() -> (ShareMap, slow: Int) {
        var map = ShareMap(total: 1_000_000, present: [])
        let slow = map.take(minimum: 500_000, at: .zero)?.id ?? 0
        _ = map.accept(0, for: slow, at: .zero)
        let fast = map.take(minimum: 500_000, at: .zero)?.id ?? 0
        _ = map.accept(500_000, for: fast, at: .milliseconds(500))
        map.noteWritten(500_000, for: fast)
        map.end(fast)
        return (map, slow)
    }

    @Test
    func `The rest of a slow share is halved below the smallest part, down to what a request is worth`() {
        var (map, slow) = mapWithSlowShare()
        // 100,000 bytes a second: the rest takes four seconds, and each half is as slow.
        _ = map.accept(100_000, for: slow, at: .seconds(1))
        let halves = (0..<3).map { _ in map.take(minimum: 1 << 20, at: .seconds(1)) }
        #expect(halves.map { $0?.start } == [300_000, 200_000, nil])
        #expect(halves.prefix(2).map { $0?.limit } == [500_000, 300_000])
        #expect(!map.hasMore(minimum: 1 << 20, at: .seconds(1)))
        // After another three seconds without a byte it would take four again.
        #expect(map.take(minimum: 1 << 20, at: .seconds(4))?.start == 150_000)
        #expect(map.take(minimum: nil, at: .seconds(4)) == nil)
    }

    @Test
    func `A slow share is not halved while its speed or the cost of a request is unknown`() {
        var map = ShareMap(total: 1_000_000, present: [])
        let only = map.take(minimum: 1, at: .zero)?.id ?? 0
        _ = map.accept(10, for: only, at: .zero)
        #expect(map.take(minimum: 1 << 20, at: .seconds(60)) == nil)
        var (other, slow) = mapWithSlowShare()
        _ = other.accept(1, for: slow, at: .zero)
        #expect(!other.hasMore(minimum: 1 << 20, at: .milliseconds(999)))
        #expect(other.hasMore(minimum: 1 << 20, at: .seconds(1)))
    }

    @Test
    func `A rest that arrives before another request has brought its half is not halved`() {
        var (map, slow) = mapWithSlowShare()
        _ = map.accept(250_000, for: slow, at: .seconds(1))
        #expect(!map.hasMore(minimum: 1 << 20, at: .seconds(1)))
        _ = map.accept(250_000 - Int(ShareMap.smallestPart), for: slow, at: .seconds(1))
        #expect(map.hasMore(minimum: ShareMap.smallestPart / 2, at: .seconds(1)))
        // However slow: a few bytes are not worth a connection.
        _ = map.accept(1, for: slow, at: .seconds(1))
        #expect(!map.hasMore(minimum: 1 << 20, at: .seconds(3600)))
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
        var now = Duration.zero
        for _ in 0..<20_000 where !map.isWhole {
            now += .milliseconds(Int.random(in: 0...20, using: &random))
            let share = map.shares.randomElement(using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where map.shares.count < 8: _ = map.take(minimum: Int64.random(in: 1...60, using: &random), at: now)
            case 1: if let share, Bool.random(using: &random) { map.end(share.id) }
            case 2: if let share { map.shorten(share.id, to: Int64.random(in: 0...total, using: &random)) }
            default:
                guard let share,
                    let own = map.accept(
                        Int.random(in: 1...50, using: &random), for: share.id, takesBack: Bool.random(using: &random),
                        at: now)
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
