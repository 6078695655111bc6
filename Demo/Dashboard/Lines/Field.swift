/// One fact on a line of several.
struct Field {
    /// What it says.
    let text: StyledText
    /// The columns it may come to need. Reserving them keeps a field from coming and going with its digits.
    let reserved: Int
    /// Where there is no room, the field with the lowest number goes first.
    let importance: Int

    init(_ text: String, _ ink: Ink = .plain, reserved: Int = 0, importance: Int) {
        self.text = StyledText(text, ink)
        self.reserved = max(reserved, self.text.columns)
        self.importance = importance
    }
}

extension [Field] {
    /// The columns to reserve for all, with what is between them.
    func reserved(separator: String) -> Int {
        reduce(0) { $0 + $1.reserved } + Swift.max(0, count - 1) * separator.displayColumns
    }

    /// The fields that fit, in their order.
    func fitting(_ columns: Int, separator: String) -> [Field] {
        var kept = self
        while kept.reserved(separator: separator) > columns,
            let least = kept.indices.min(by: { kept[$0].importance < kept[$1].importance })
        {
            kept.remove(at: least)
        }
        return kept
    }

    /// The fields as one text.
    func joined(separator: String) -> StyledText {
        reduce(into: StyledText()) { line, field in
            if line.columns > 0 { line.append(separator, .faint) }
            line.append(field.text)
        }
    }
}
