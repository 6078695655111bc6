/// As much of a terminal as the painter needs: a cursor that is moved, lines that are erased, and a width that changes.
struct VirtualTerminal {
    /// What stands in one row.
    private struct Row {
        var characters: [Character] = []
        /// Whether it goes on what the row above has no room for.
        var isContinued = false
    }

    private var rows = [Row()]
    private var row = 0
    private var column = 0
    private var columns: Int
    private(set) var wraps = true
    private(set) var isCursorVisible = true
    /// Whether what is written next has a color or another attribute.
    private(set) var hasInk = false

    init(columns: Int) {
        self.columns = columns
    }

    /// The rows as one sees them.
    var lines: [String] {
        rows.map { String($0.characters) }
    }

    mutating func feed(_ output: String) {
        var rest = Substring(output)
        while let character = rest.popFirst() {
            switch character {
            case "\r\n", "\n": breakLine(isContinued: false)
            case "\r": column = 0
            case "\u{1B}" where rest.first == "]": skipCommand(&rest)
            case "\u{1B}": control(&rest)
            default: put(character)
            }
        }
    }

    /// Changes the width as most terminals do it: lines are broken anew, and the cursor stays with its character.
    mutating func resize(columns newColumns: Int) {
        var broken: [Row] = []
        var cursor = (row: 0, column: 0)
        for (places, line) in logicalLines() {
            let start = broken.count
            let count = max(1, (line.count + newColumns - 1) / newColumns)
            for index in 0..<count {
                let piece = line.dropFirst(index * newColumns).prefix(newColumns)
                broken.append(Row(characters: Array(piece), isContinued: index > 0))
            }
            if places.contains(row) {
                let offset = (row - places.lowerBound) * columns + column
                cursor = (start + min(offset / newColumns, count - 1), offset % newColumns)
            }
        }
        rows = broken
        (row, column) = cursor
        columns = newColumns
    }

    private func logicalLines() -> [(places: Range<Int>, characters: [Character])] {
        rows.indices.reduce(into: []) { lines, index in
            if rows[index].isContinued, let last = lines.last {
                lines[lines.count - 1] = (
                    last.places.lowerBound..<index + 1, last.characters + rows[index].characters
                )
            } else {
                lines.append((index..<index + 1, rows[index].characters))
            }
        }
    }

    private mutating func breakLine(isContinued: Bool) {
        column = 0
        row += 1
        if row == rows.count { rows.append(Row()) }
        if isContinued { rows[row].isContinued = true }
    }

    private mutating func put(_ character: Character) {
        if column >= columns {
            guard wraps else { return }
            breakLine(isContinued: true)
        }
        while rows[row].characters.count <= column { rows[row].characters.append(" ") }
        rows[row].characters[column] = character
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
        case let up where up.hasSuffix("A"): row = max(0, row - (Int(up.dropFirst().dropLast()) ?? 1))
        case let ink where ink.hasSuffix("m"): hasInk = ink != "[0m"
        default: break
        }
    }

    /// A command for the window, up to its end, is not shown: `ESC ] … ESC \`.
    private mutating func skipCommand(_ rest: inout Substring) {
        guard let end = rest.firstIndex(of: "\\") else { return }
        rest = rest[rest.index(after: end)...]
    }

    /// As tmux does it: a row that is erased from its beginning is a line of its own, any other stays a part of its
    /// line.
    private mutating func erase() {
        let count = rows[row].characters.count
        rows[row].characters.removeSubrange(min(column, count)...)
        guard column == 0 else { return }
        if row + 1 < rows.count { rows[row + 1].isContinued = false }
    }
}
