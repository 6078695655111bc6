/// The line of one active item: its name and progress.
struct ItemLine {
    let item: ActiveItem
    let canvas: Canvas

    private static let widestName = 44
    private static let barColumns = 14
    private static let bytesColumns = 18
    private static let percentColumns = 8
    private static let rateColumns = 10
    /// The smallest width at which the speed is shown.
    private static let columnsWithRate = 96

    var text: StyledText {
        let columns = canvas.usableColumns
        return columns >= 60 ? wide(columns) : narrow(columns)
    }

    private func wide(_ columns: Int) -> StyledText {
        let hasRate = columns >= Self.columnsWithRate
        let room = columns - 2 - 2 - Self.barColumns - 2 - Self.bytesColumns - (hasRate ? 2 + Self.rateColumns : 0)
        let nameColumns = min(room, Self.widestName)
        if let remark = item.remark { return remarked(remark, nameColumns, gap: "  ") }
        var line = name(nameColumns)
        line.append("  ")
        if let fraction = item.fraction {
            line.append(Bar(fraction: fraction, columns: Self.barColumns, charset: canvas.charset).text)
        } else {
            line.append(String(repeating: " ", count: Self.barColumns))
        }
        line.append("  " + bytes, .faint)
        guard hasRate, let rate = item.bytesPerSecond else { return line }
        let gap = max(0, Self.bytesColumns - bytes.count) + 2
        line.append(String(repeating: " ", count: gap) + ByteCount.rate(rate), .faint)
        return line
    }

    private func narrow(_ columns: Int) -> StyledText {
        let room = columns - 2 - 1 - Self.percentColumns
        guard room >= 6 else { return StyledText(shortened(columns)) }
        if let remark = item.remark { return remarked(remark, (columns - 3) / 2, gap: " ") }
        let amount = item.fraction.map { "\(Int($0 * 100))%" } ?? ByteCount.text(item.transferred)
        var line = name(room)
        line.append(" " + String(repeating: " ", count: max(0, Self.percentColumns - amount.count)) + amount, .faint)
        return line
    }

    /// Gives the remark all the room after the name, because no other column has to be aligned below it.
    private func remarked(_ remark: String, _ nameColumns: Int, gap: String) -> StyledText {
        var line = StyledText("  " + shortened(nameColumns) + gap)
        let room = canvas.usableColumns - line.columns
        line.append(printable(remark).truncatedInTheMiddle(to: room, mark: canvas.ellipsis), .faint)
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

    private func printable(_ text: String) -> String {
        let text = text.withoutControls()
        return canvas.charset == .ascii ? String(text.map { $0.isASCII ? $0 : "?" }) : text
    }

    private func shortened(_ columns: Int) -> String {
        printable(item.name).truncatedInTheMiddle(to: columns, mark: canvas.ellipsis)
    }
}
