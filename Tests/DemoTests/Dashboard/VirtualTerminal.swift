/// As much of a terminal as the painter needs: a cursor that is moved and lines that are erased.
struct VirtualTerminal {
    private var rows: [[Character]] = [[]]
    private var row = 0
    private var column = 0
    private var wraps = true
    private let columns: Int
    private(set) var isCursorVisible = true

    init(columns: Int) {
        self.columns = columns
    }

    /// The lines as one sees them.
    var lines: [String] {
        rows.map { String($0) }
    }

    mutating func feed(_ output: String) {
        var rest = Substring(output)
        while let character = rest.popFirst() {
            switch character {
            case "\r\n": breakLine()
            case "\r": column = 0
            case "\u{1B}": control(&rest)
            default: put(character)
            }
        }
    }

    private mutating func breakLine() {
        column = 0
        row += 1
        if row == rows.count { rows.append([]) }
    }

    private mutating func put(_ character: Character) {
        if column == columns {
            guard wraps else { return }
            breakLine()
        }
        while rows[row].count <= column { rows[row].append(" ") }
        rows[row][column] = character
        column += 1
    }

    private mutating func control(_ rest: inout Substring) {
        guard let end = rest.firstIndex(where: { $0.isLetter }) else { return }
        let sequence = rest[...end]
        rest = rest[rest.index(after: end)...]
        switch sequence {
        case "[K": erase()
        case "[J":
            erase()
            rows.removeSubrange((row + 1)...)
        case "[?25l": isCursorVisible = false
        case "[?25h": isCursorVisible = true
        case "[?7l": wraps = false
        case "[?7h": wraps = true
        case let up where up.hasSuffix("A"): row -= Int(up.dropFirst().dropLast()) ?? 1
        default: break
        }
    }

    private mutating func erase() {
        rows[row].removeSubrange(min(column, rows[row].count)...)
    }
}
