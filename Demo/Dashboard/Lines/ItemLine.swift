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
    /// The smallest width at which there is a bar.
    static let leastWideColumns = 60

    var text: StyledText {
        let columns = canvas.usableColumns
        guard columns < Self.leastWideColumns else { return wide(columns) }
        return narrow(columns, amount: item.fraction.map { "\(Int($0 * 100))%" } ?? ByteCount.text(item.transferred))
    }

    private func wide(_ columns: Int) -> StyledText {
        if let remark = item.remark { return remarked(remark, Self.nameColumns(columns), gap: "  ") }
        var line = beginning(columns, fraction: item.fraction)
        line.append(bytes, .faint)
        guard columns >= Self.columnsWithRate, let rate = item.bytesPerSecond else { return line }
        let gap = max(0, Self.bytesColumns - bytes.count) + 2
        line.append(String(repeating: " ", count: gap) + ByteCount.rate(rate), .faint)
        return line
    }

    private static func nameColumns(_ columns: Int) -> Int {
        let rate = columns >= columnsWithRate ? 2 + rateColumns : 0
        return min(columns - 2 - 2 - barColumns - 2 - bytesColumns - rate, widestName)
    }

    /// The beginning of a line with a bar, up to the column of the bytes.
    func beginning(_ columns: Int, fraction: Double?) -> StyledText {
        var line = name(Self.nameColumns(columns))
        line.append("  ")
        if let fraction {
            line.append(Bar(fraction: fraction, columns: Self.barColumns, charset: canvas.charset).text)
        } else {
            line.append(String(repeating: " ", count: Self.barColumns))
        }
        line.append("  ")
        return line
    }

    /// A line without a bar, which ends with `amount`.
    func narrow(_ columns: Int, amount: String) -> StyledText {
        let room = columns - 2 - 1 - Self.percentColumns
        guard room >= 6 else { return StyledText(shortened(columns)) }
        if let remark = item.remark { return remarked(remark, (columns - 3) / 2, gap: " ") }
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
