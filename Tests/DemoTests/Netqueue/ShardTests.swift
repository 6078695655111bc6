import Testing

@testable import netqueue

struct ShardTests {
    @Test(arguments: [1, 2, 3, 7, 16])
    func `Every URL is in exactly one shard, and the shards are about equally large`(count: Int) throws {
        let shards = (1...count).map { Options.Shard(number: $0, count: count) }
        var sizes = Array(repeating: 0, count: count)
        for number in 0..<2000 {
            let entry = ListEntry(address: "https://example.com/tree/\(number)/file.bin")
            let places = shards.indices.filter { shards[$0].contains(entry) }
            #expect(places.count == 1)
            for place in places { sizes[place] += 1 }
        }
        let fair = 2000 / count
        #expect(sizes.allSatisfy { abs($0 - fair) < fair / 3 + 1 })
    }

    @Test func `A fragment does not decide the shard`() {
        let entries = (0..<20).map { ListEntry(address: "https://example.com/a#\($0)") }
        #expect(
            (1...3).count { number in entries.contains { Options.Shard(number: number, count: 3).contains($0) } }
                == 1)
    }

    @Test func `A URL is in the same shard on every machine and in every version`() {
        let entries = (0..<8).map { ListEntry(address: "https://example.com/\($0)") }
        let shards = entries.map { entry in
            (1...4).first { Options.Shard(number: $0, count: 4).contains(entry) }
        }
        #expect(shards == [1, 4, 3, 2, 1, 4, 3, 2])
    }
}
