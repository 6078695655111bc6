/// The line of one active item: its name, and how far it is.
struct ItemLine {
    let item: ActiveItem
    let canvas: Canvas

    private static let widestName = 44
    private static let barColumns = 14
    private static let bytesColumns = 18
    private static let percentColumns = 8

    var text: StyledText {
        let columns = canvas.usableColumns
        return columns >= 60 ? wide(columns) : narrow(columns)
    }

    private func wide(_ columns: Int) -> StyledText {
        let room = columns - 2 - 2 - Self.barColumns - 2 - Self.bytesColumns
        var line = name(min(room, Self.widestName))
        line.append("  ")
        if let fraction = item.fraction {
            line.append(Bar(fraction: fraction, columns: Self.barColumns, charset: canvas.charset).text)
        } else {
            line.append(String(repeating: " ", count: Self.barColumns))
        }
        line.append("  " + bytes, .faint)
        return line
    }

    private func narrow(_ columns: Int) -> StyledText {
        let room = columns - 2 - 1 - Self.percentColumns
        guard room >= 6 else { return StyledText(shortened(columns)) }
        let amount = item.fraction.map { "\(Int($0 * 100))%" } ?? ByteCount.text(item.transferred)
        var line = name(room)
        line.append(" " + String(repeating: " ", count: max(0, Self.percentColumns - amount.count)) + amount, .faint)
        return line
    }

    private var bytes: String {
        guard let expected = item.expected else { return ByteCount.text(item.transferred) }
        return ByteCount.text(item.transferred, of: expected)
    }

    private func name(_ columns: Int) -> StyledText {
        let name = shortened(columns)
        return StyledText("  " + name + String(repeating: " ", count: max(0, columns - name.displayColumns)))
    }

    private func shortened(_ columns: Int) -> String {
        var name = item.name.withoutControls()
        if canvas.charset == .ascii {
            name = String(name.map { $0.isASCII ? $0 : "?" })
        }
        return name.truncatedInTheMiddle(to: columns, mark: canvas.ellipsis)
    }
}
