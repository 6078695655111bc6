/// A progress bar that fills from the left.
struct Bar {
    let fraction: Double
    let columns: Int
    let charset: Canvas.Charset

    /// The bar, exactly `columns` wide. It is full only at 1.
    var text: StyledText {
        let fraction = self.fraction.isFinite ? min(max(0, self.fraction), 1) : 0
        return charset == .unicode ? line(fraction) : brackets(fraction)
    }

    private func line(_ fraction: Double) -> StyledText {
        let halves = Int(fraction * Double(columns * 2))
        let done = String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
        var text = StyledText(done, .done)
        text.append(String(repeating: "─", count: columns - (halves + 1) / 2), .faint)
        return text
    }

    private func brackets(_ fraction: Double) -> StyledText {
        let inner = max(0, columns - 2)
        let done = Int(fraction * Double(inner))
        let head = done < inner && fraction > 0 ? ">" : ""
        var text = StyledText("[")
        text.append(String(repeating: "=", count: done) + head, .done)
        text.append(String(repeating: " ", count: inner - done - head.count) + "]")
        return text
    }
}
