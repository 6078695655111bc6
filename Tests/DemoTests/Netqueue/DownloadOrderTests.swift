import Testing

@testable import netqueue

struct DownloadOrderTests {
    private func numbers(_ order: Options.Order, _ entries: [(stage: Int, size: Int64?)]) -> [Int] {
        var result = DownloadOrder(order)
        for (number, values) in entries.enumerated() {
            var entry = ListEntry(address: "http://127.0.0.1/\(number)")
            (entry.stage, entry.size) = values
            result.add(entry, number)
        }
        return result.inOrder
    }

    private let sizes: [(Int, Int64?)] = [(0, 30), (0, nil), (0, 10), (0, 30), (0, nil), (0, 20)]

    @Test func `Known sizes are in order, equal ones in that of the list, and unknown ones come last`() {
        #expect(numbers(.smallest, sizes) == [2, 5, 0, 3, 1, 4])
        #expect(numbers(.largest, sizes) == [0, 3, 5, 2, 1, 4])
        #expect(numbers(.list, sizes) == [0, 1, 2, 3, 4, 5] && numbers(.reverse, sizes) == [5, 4, 3, 2, 1, 0])
    }

    @Test func `Lower stages come first, and the order applies within each`() {
        let entries: [(Int, Int64?)] = [(2, 1), (0, 9), (2, 5), (1, 2), (0, 4)]
        #expect(numbers(.list, entries) == [1, 4, 3, 0, 2])
        #expect(numbers(.reverse, entries) == [4, 1, 3, 2, 0])
        #expect(numbers(.smallest, entries) == [4, 1, 3, 0, 2])
        #expect(numbers(.largest, entries) == [1, 4, 3, 2, 0])
    }

    @Test func `A random order has all entries, stage by stage, in another order each time`() {
        let entries: [(Int, Int64?)] = (0..<200).map { ($0 % 2, nil) }
        let first = numbers(.random, entries)
        #expect(first.sorted() == Array(0..<200) && first.prefix(100).allSatisfy { $0 % 2 == 0 })
        #expect(first != numbers(.random, entries))
    }
}
