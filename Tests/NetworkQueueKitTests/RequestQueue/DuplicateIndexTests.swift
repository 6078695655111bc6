import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct DuplicateIndexTests {
    private func operation(_ path: String = "a") -> RequestOperation { RequestOperation(NetworkRequest(.test(path))) }

    private func ids(_ operations: [RequestOperation]) -> Set<RequestID> { Set(operations.map(\.id)) }

    @Test func `The index finds all operations with the same hash, and no others`() {
        var index = DuplicateIndex<RequestOperation>(isActive: true)
        let operations = (0..<4).map { _ in operation() }
        for (number, operation) in operations.enumerated() {
            #expect(ids(index.insert(operation, hash: 1)) == ids(Array(operations[..<number])))
        }
        #expect(index.insert(operation(), hash: 2).isEmpty)
    }

    @Test(arguments: [[0], [1], [2], [0, 1], [1, 2], [2, 1], [2, 0], [0, 2, 1], [2, 1, 0], [1, 1]])
    func `The index forgets removed operations, and those alone, in whatever order`(removed: [Int]) {
        var index = DuplicateIndex<RequestOperation>(isActive: true)
        let operations = (0..<3).map { _ in operation() }
        for operation in operations { _ = index.insert(operation, hash: 1) }
        for number in removed { index.remove(operations[number]) }
        let left = operations.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
        #expect(ids(index.insert(operation(), hash: 1)) == ids(left))
    }

    @Test func `The index works out a hash that is not given, equal for equal requests`() {
        let old = [operation("a"), operation("b"), operation("a")]
        var index = DuplicateIndex<RequestOperation>(isActive: true, of: old)
        #expect(ids(index.insert(operation("a"), hash: nil)) == ids([old[0], old[2]]))
        #expect(ids(index.insert(operation("b"), hash: nil)) == ids([old[1]]))
        #expect(index.insert(operation("c"), hash: nil).isEmpty)
    }

    @Test func `The index keeps nothing while duplicates are allowed`() {
        var index = DuplicateIndex<RequestOperation>(isActive: false)
        #expect(index.insert(operation(), hash: 1).isEmpty && index.insert(operation(), hash: 1).isEmpty)
    }
}
