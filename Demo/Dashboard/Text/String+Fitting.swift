extension String {
    /// The text with control characters replaced, so that text from a server cannot control the terminal.
    public func withoutControls(replacement: Character = "?") -> String {
        guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.steersTerminal {
                text.append(replacement)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text in at most `columns` columns; if it does not fit, `mark` replaces its middle.
    public func truncatedInTheMiddle(to columns: Int, mark: String) -> String {
        guard displayColumns > columns else { return self }
        let room = columns - mark.displayColumns
        guard room > 0 else { return String(prefix(fitting: columns)) }
        // The end of a file name is more informative than its beginning.
        let tail = suffix(fitting: (room + 1) / 2)
        let head = prefix(fitting: room - String(tail).displayColumns)
        return head + mark + tail
    }

    private func prefix(fitting columns: Int) -> Substring {
        var room = columns
        return prefix {
            room -= $0.displayColumns
            return room >= 0
        }
    }

    private func suffix(fitting columns: Int) -> Substring {
        var room = columns
        var start = endIndex
        while start > startIndex {
            let before = index(before: start)
            room -= self[before].displayColumns
            if room < 0 { break }
            start = before
        }
        return self[start...]
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is an ASCII or Latin-1 control, a line separator or a bidirectional formatting character.
    public var steersTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
