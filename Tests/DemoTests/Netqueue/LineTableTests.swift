import TestSupport
import Testing

@testable import netqueue

struct LineTableTests {
    @Test func `Texts with the same hash are told apart by what they are`() {
        var table = LineTable()
        // The owner says that it is another text, whatever its hash.
        table.insert(0, for: "a")
        #expect(table.number(of: "a", where: { _ in false }) == nil)
        table.insert(1, for: "a")
        #expect(table.number(of: "a", where: { $0 == 1 }) == 1)
    }
}
