import Testing

@testable import NetworkQueueKit

struct DuplicateIndexTests {
    private final class Element: QueueElement {
        let id: Int
        let equivalenceHash: UInt32 = 7
        let knownSize: Int64? = nil
        var queueEntry = QueueEntry()

        init(_ id: Int) { self.id = id }
    }

    @Test(arguments: 0..<3)
    func `An element that was removed is not found any more, whether it was the latest or not`(removed: Int) {
        var index = DuplicateIndex<Element>(isActive: true)
        let elements = (0..<3).map { Element($0) }
        for element in elements { _ = index.insert(element, hash: nil) }
        index.remove(elements[removed])
        #expect(Set(index.insert(Element(3), hash: nil).map(\.id)) == Set(0..<3).subtracting([removed]))
    }
}
