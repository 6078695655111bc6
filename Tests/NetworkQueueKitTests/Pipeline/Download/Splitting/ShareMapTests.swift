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
    func `What is missing comes before any half, in order`() {
        var map = ShareMap(total: 100, present: [10..<20, 50..<60])
        let ranges = (0..<3).compactMap { _ in map.take(minimum: nil) }.map { $0.start..<$0.limit }
        #expect(ranges == [0..<10, 20..<50, 60..<100])
        #expect(map.take(minimum: nil) == nil)
        #expect(map.present == [10..<20, 50..<60])
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

    @Test
    func `What a response does not have is left to another exchange`() {
        var map = ShareMap(total: 100, present: [])
        let first = map.take(minimum: 10)?.id ?? 0
        _ = map.take(minimum: 40)
        // It has more than is still wanted of it, and then less.
        map.shorten(first, to: 60)
        #expect(map[first]?.end == 50 && map[first]?.limit == 60 && map.holes.isEmpty)
        map.shorten(first, to: 20)
        #expect(map[first]?.end == 20 && map[first]?.isShortened == true && map.holes == [20..<50])
        // It does not get that back when it comes to its end: its response does not have it.
        let place = map.accept(30, for: first)
        #expect(place == 20 && map.holes == [20..<50])
        map.noteWritten(20, for: first)
        map.end(first)
        #expect(map.take(minimum: nil)?.start == 20)
    }

    @Test
    func `A share that comes to its end takes back the next one, of which nothing has come`() {
        var map = ShareMap(total: 100, present: [])
        let first = map.take(minimum: 10)?.id ?? 0
        let second = map.take(minimum: 40)?.id ?? 0
        let place = map.accept(60, for: first, takesBack: true)
        #expect(place == 60 && map[first]?.end == 100)
        let late = map.accept(10, for: second)
        #expect(late == nil)
        map.end(second)
        #expect(map.holes.isEmpty && map.shares.count == 1)
    }

    @Test
    func `A share writes no byte of another one's`() {
        var map = ShareMap(total: 100, present: [])
        let first = map.take(minimum: 10)?.id ?? 0
        let second = map.take(minimum: 10)?.id ?? 0
        _ = map.accept(1, for: second)
        let places = [(80, first), (1, first), (80, second)].map { count, id in map.accept(count, for: id) }
        #expect(places == [50, 0, 49])
        #expect(!map.isWhole && map.present.isEmpty)
        map.noteWritten(50, for: first)
        map.noteWritten(50, for: second)
        #expect(map.isWhole && map.present == [0..<100])
        let unknown = map.accept(1, for: 99)
        #expect(unknown == nil)
    }

    /// Whatever is given out, written, ended and given back: nothing is lost, and nothing belongs to two.
    @Test(arguments: 0..<40)
    func `Every byte is there, missing, or one share's`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let total = Int64.random(in: 1...2_000, using: &random)
        var map = ShareMap(total: total, present: [])
        var owners = [Int](repeating: 0, count: Int(total))
        for _ in 0..<20_000 where !map.isWhole {
            let share = map.shares.randomElement(using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where map.shares.count < 8: _ = map.take(minimum: Int64.random(in: 1...60, using: &random))
            case 1: if let share, Bool.random(using: &random) { map.end(share.id) }
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
        }
        #expect(map.isWhole && map.present == [0..<total])
    }
}
