import NetworkQueueKit

/// The line about the whole queue.
struct TotalLine {
    let progress: NetworkQueue.Progress
    let isFlushing: Bool
    let hints: [String]
    let tick: Int
    let canvas: Canvas

    private static let barRange = 8...40
    private static let percentColumns = 5

    var text: StyledText {
        switch progress.phase {
        case .idle: spinning("Starting")
        case .sizing(let completed, let total): spinning("Sizing \(sizingText(completed, total))")
        case .transferring:
            progress.allBytes.expected == nil || isFlushing
                ? spinning(fields(room: canvas.usableColumns - 2)) : measured
        case .finished: progress.isSuccess ? measured : line(fields(room: canvas.usableColumns))
        }
    }

    /// The same facts as text for a log, without bar and spinner.
    var logText: String {
        switch progress.phase {
        case .idle: return "Starting"
        case .sizing(let completed, let total): return "Sizing \(sizingText(completed, total))"
        case .transferring, .finished: break
        }
        var all = ownFields
        if isFlushing { return all.joined(separator: canvas.separator).plain }
        if progress.phase == .transferring, progress.allBytes.expected != nil {
            all.insert(Field("\(progress.percent)%", importance: 0), at: 0)
        }
        if progress.phase == .transferring, let sizing = progress.sizing {
            all.append(Field("sizing \(sizing.text)", importance: 6))
        }
        return all.joined(separator: canvas.separator).plain
    }

    private func sizingText(_ completed: Int, _ total: Int) -> String {
        NetworkQueue.Progress.Sizing(completed: completed, total: total).text
    }

    // MARK: Layouts

    private var measured: StyledText {
        let columns = canvas.usableColumns
        let percent = "\(progress.percent)%"
        let room = columns - Self.percentColumns - Self.barRange.lowerBound - 1
        let kept = fields(room: room)
        let taken = kept.isEmpty ? 0 : kept.reserved(separator: canvas.separator) + 1
        let bar = min(Self.barRange.upperBound, columns - Self.percentColumns - taken)
        var line = StyledText(String(repeating: " ", count: max(0, 4 - percent.count)) + percent)
        guard bar >= 4 else { return line }
        line.append(" ")
        line.append(Bar(fraction: progress.shownFraction, columns: bar, charset: canvas.charset).text)
        if !kept.isEmpty { line.append(" ") }
        line.append(self.line(kept))
        return line
    }

    private func spinning(_ fields: [Field]) -> StyledText {
        var line = StyledText(canvas.spinner(tick), .done)
        line.append(" ")
        line.append(self.line(fields))
        return line
    }

    private func spinning(_ text: String) -> StyledText {
        spinning(
            ([Field(text, importance: 1)] + hintFields).fitting(canvas.usableColumns - 2, separator: canvas.separator))
    }

    private func line(_ fields: [Field]) -> StyledText {
        fields.joined(separator: canvas.separator)
    }

    private func fields(room: Int) -> [Field] {
        (ownFields + hintFields).fitting(room, separator: canvas.separator)
    }

    private var ownFields: [Field] {
        progress.fields + (isFlushing ? [Field("writing to disk", importance: 6)] : [])
    }

    private var hintFields: [Field] {
        progress.phase == .finished ? [] : hints.enumerated().map { Field($1, .faint, importance: -$0) }
    }
}
