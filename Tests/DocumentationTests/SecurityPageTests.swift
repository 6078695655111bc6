import Foundation
import Testing

/// The page “Security”, whose claims each name their tests.
struct SecurityPageTests {
    private static let page = "Sources/NetworkQueueKit/NetworkQueueKit.docc/Security.md"

    /// The claims of the page: the row, and the tests in its last column.
    private static let claims: [(row: String, tests: [String])] = {
        let rows = Document.lines(of: page).filter { $0.hasPrefix("| ") && !$0.hasSuffix("| Test |") }
        return rows.map { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let names = (cells.last ?? "").matches(of: /`([^`]+)`/).map { String($0.1) }
            return (row, names)
        }
    }()

    @Test func `Every claim of the page “Security” names tests that exist`() {
        let sources = Document.files(in: "Tests").filter { $0.hasSuffix(".swift") }
        let names = sources.flatMap { path in
            Document.lines(of: path).compactMap { $0.firstMatch(of: /func `([^`]+)`/).map { String($0.1) } }
        }
        let known = Set(names.map { Array($0.utf8) })
        #expect(Self.claims.count > 50 && known.count > 1000)
        for claim in Self.claims {
            #expect(!claim.tests.isEmpty, "\(claim.row)")
            let missing = claim.tests.filter { !known.contains(Array($0.utf8)) }
            #expect(missing.isEmpty, "\(claim.row)")
        }
    }
}
