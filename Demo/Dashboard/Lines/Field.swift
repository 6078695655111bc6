/// One item of information on a line, such as a rate.
struct Field {
    /// The field's text.
    let text: StyledText
    /// The columns reserved for the field, so that it does not appear and disappear as its number of digits changes.
    let reserved: Int
    /// The priority. If there is not enough room, the field with the lowest priority is removed first.
    let importance: Int

    init(_ text: String, _ ink: Ink = .plain, reserved: Int = 0, importance: Int) {
        self.text = StyledText(text, ink)
        self.reserved = max(reserved, self.text.columns)
        self.importance = importance
    }
}

extension [Field] {
    /// The columns to reserve for all fields and the separators between them.
    func reserved(separator: String) -> Int {
        reduce(0) { $0 + $1.reserved } + Swift.max(0, count - 1) * separator.displayColumns
    }

    /// The fields that fit, in their original order.
    func fitting(_ columns: Int, separator: String) -> [Field] {
        var kept = self
        while kept.reserved(separator: separator) > columns,
            let least = kept.indices.min(by: { kept[$0].importance < kept[$1].importance })
        {
            kept.remove(at: least)
        }
        return kept
    }

    /// The fields joined into one text.
    func joined(separator: String) -> StyledText {
        reduce(into: StyledText()) { line, field in
            if line.columns > 0 { line.append(separator, .faint) }
            line.append(field.text)
        }
    }
}
