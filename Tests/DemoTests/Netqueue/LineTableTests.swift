import TestSupport
import Testing

@testable import netqueue

struct LineTableTests {
    @Test func `A table finds the number of each text, and none of another`() {
        var table = LineTable()
        let texts = (0..<1000).map { "text \($0)" }
        for (number, text) in texts.enumerated() {
            #expect(table.number(of: text, where: { texts[$0] == text }) == nil)
            table.insert(number, for: text)
        }
        for (number, text) in texts.enumerated() {
            #expect(table.number(of: text, where: { texts[$0] == text }) == number)
        }
    }

    @Test(arguments: OddName.twins) func `Texts of other bytes have entries of their own`(one: String, other: String) {
        var table = LineTable()
        table.insert(0, for: one)
        #expect(table.number(of: other, where: { _ in true }) == nil)
    }

    @Test func `Texts with the same hash are told apart by what they are`() {
        var table = LineTable()
        // The owner says that it is another text, whatever its hash.
        table.insert(0, for: "a")
        #expect(table.number(of: "a", where: { _ in false }) == nil)
        table.insert(1, for: "a")
        #expect(table.number(of: "a", where: { $0 == 1 }) == 1)
    }
}
