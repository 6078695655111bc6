import NetworkQueueKit

/// What the dashboard shows: the progress of a queue and what is under way, at one moment.
///
/// A frame has up to a few lines for active items, one for the rest of them, one for each server that asks for time,
/// one for the sizes that still come in, and the total as its last line:
///
///       photos/0031.jpg    ━━━━━━╸─────  3.4/6.1 MiB
///       photos/0032.jpg    ━━──────────  1.0/6.4 MiB
///       +2 more
///       example.com asks for 12 s
///       Sizing 31/40
///      34% ━━━━━━━━╸──────────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51
public struct DashboardModel: Sendable, Hashable {
    /// The progress of the queue.
    public var progress: NetworkQueue.Progress
    /// The transfers under way, the oldest first.
    public var items: [ActiveItem]
    /// What holds up more than one transfer, such as a server that asks for time; a line each.
    public var remarks: [String]
    /// What the user can do, such as `q quits`; at the end of the total line, where there is room.
    public var hint: String?
    /// Counts the frames; turns the spinner.
    public var tick: Int

    /// Creates a model.
    public init(
        progress: NetworkQueue.Progress, items: [ActiveItem] = [], remarks: [String] = [], hint: String? = nil,
        tick: Int = 0
    ) {
        self.progress = progress
        self.items = items
        self.remarks = remarks
        self.hint = hint
        self.tick = tick
    }

    /// The lines to show. None is wider than the canvas, and they fit its height.
    public func frame(on canvas: Canvas) -> Frame {
        // Some of what was there before stays in sight, and one row is free for what the user types.
        let room = min(max(Self.fewItemLines, canvas.rows * 2 / 3), canvas.rows - 3)
        var lines: [StyledText] = []
        var others: [StyledText] = []
        if progress.phase != .finished, room > 1 {
            // At most half of the room: the items tell more.
            others = remarks.prefix(room / 2).map { remarkLine($0, on: canvas) }
        }
        if progress.phase == .transferring, room > 0 {
            if room - others.count > 1, let sizing = sizingLine(on: canvas) { others.append(sizing) }
            let room = room - others.count
            let shown = items.count <= room ? items.count : room - 1
            lines += items.prefix(shown).map { ItemLine(item: $0, canvas: canvas).text }
            if items.count > shown { lines.append(StyledText("  +\(items.count - shown) more", .faint)) }
        }
        lines += others
        lines.append(TotalLine(progress: honestProgress, hint: hint, tick: tick, canvas: canvas).text)
        return Frame(lines: lines)
    }

    /// Everything on the canvas's total line as text for a log, where no line is ever taken back.
    public func logLine(charset: Canvas.Charset) -> String {
        let canvas = Canvas(columns: .max, charset: charset)
        return TotalLine(progress: honestProgress, tick: 0, canvas: canvas).logText
    }

    /// The progress, which promises no earlier end than the slowest of the items needs.
    private var honestProgress: NetworkQueue.Progress {
        var progress = progress
        guard let estimate = progress.estimatedTimeRemaining else { return progress }
        progress.estimatedTimeRemaining = max(estimate, items.compactMap(\.timeRemaining).max() ?? estimate)
        return progress
    }

    /// For the sizes that come in beside the transfers; `nil` where there are none, or no room.
    private func sizingLine(on canvas: Canvas) -> StyledText? {
        guard let sizing = progress.sizing else { return nil }
        let text = "  Sizing \(sizing.completed)/\(sizing.total)"
        return text.count <= canvas.usableColumns ? StyledText(text, .faint) : nil
    }

    private func remarkLine(_ remark: String, on canvas: Canvas) -> StyledText {
        let text = "  " + remark.withoutControls()
        return StyledText(text.truncatedInTheMiddle(to: canvas.usableColumns, mark: canvas.ellipsis), .faint)
    }

    private static let fewItemLines = 5
}
