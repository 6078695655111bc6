import NetworkQueueKit

/// The content of the dashboard at one moment: a queue's progress and its active transfers.
///
/// A frame has a few lines for active items, one for the number of remaining items, one for each server that asks the
/// client to wait, one for sizing that continues beside the transfers, a few for the groups at work, and the total as
/// the last line:
///
///       photos/0031.jpg    ━━━━━━╸─────  3.4/6.1 MiB
///       photos/0032.jpg    ━━──────────  1.0/6.4 MiB
///       +2 more
///       example.com asks for 12 s
///       Sizing 31 of 40
///       album-7            ━━━━━━━╸────  7/12 files
///       +3 more groups
///      34% ━━━━━━━━╸──────────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51
public struct DashboardModel: Sendable, Hashable {
    /// The queue's progress.
    public var progress: NetworkQueue.Progress
    /// The active transfers, oldest first.
    public var items: [ActiveItem]
    /// The groups of the active transfers, in the order in which they began.
    public var groups: [GroupItem]
    /// Reasons that delay more than one transfer, such as a server that asks the client to wait; one line each.
    public var remarks: [String]
    /// Whether everything has ended, and the files are being flushed to the disk.
    public var isFlushing: Bool
    /// Key hints such as `q quits`, the most important first. The end of the total line has those that fit.
    public var hints: [String]
    /// The frame counter, which advances the spinner.
    public var tick: Int

    /// Creates a model.
    public init(
        progress: NetworkQueue.Progress, items: [ActiveItem] = [], groups: [GroupItem] = [], remarks: [String] = [],
        isFlushing: Bool = false, hints: [String] = [], tick: Int = 0
    ) {
        self.progress = progress
        self.items = items
        self.groups = groups
        self.remarks = remarks
        self.isFlushing = isFlushing
        self.hints = hints
        self.tick = tick
    }

    /// The lines to show, which fit the canvas's width and height.
    public func frame(on canvas: Canvas) -> Frame {
        // Keep some earlier output visible, and one row free for what the user types.
        let room = min(max(Self.fewItemLines, canvas.rows * 2 / 3), canvas.rows - 3)
        var lines: [StyledText] = []
        var others: [StyledText] = []
        if progress.phase != .finished, room > 1 {
            // At most half of the room, because items are more informative.
            others = remarks.prefix(room / 2).map { remarkLine($0, on: canvas) }
        }
        if progress.phase == .transferring, room > 0 {
            if room - others.count > 1, let sizing = sizingLine(on: canvas) { others.append(sizing) }
            others += groupLines((room - others.count) / 2, on: canvas)
            let room = room - others.count
            let shown = items.count <= room ? items.count : room - 1
            lines += items.prefix(shown).map { ItemLine(item: $0, canvas: canvas).text }
            if items.count > shown { lines.append(StyledText("  +\(items.count - shown) more", .faint)) }
        }
        lines += others
        lines.append(totalLine(on: canvas).text)
        return Frame(lines: lines)
    }

    /// The facts of the total line as text for a log that is never overwritten, without a width limit.
    public func logLine(charset: Canvas.Charset) -> String {
        totalLine(on: Canvas(columns: .max, charset: charset)).logText
    }

    private func totalLine(on canvas: Canvas) -> TotalLine {
        TotalLine(progress: honestProgress, isFlushing: isFlushing, hints: hints, tick: tick, canvas: canvas)
    }

    /// The progress, with a time remaining no shorter than that of the slowest item.
    private var honestProgress: NetworkQueue.Progress {
        var progress = progress
        guard let estimate = progress.estimatedTimeRemaining else { return progress }
        progress.estimatedTimeRemaining = max(estimate, items.compactMap(\.timeRemaining).max() ?? estimate)
        return progress
    }

    /// The line about sizing beside the transfers; `nil` if there is no sizing or no room.
    private func sizingLine(on canvas: Canvas) -> StyledText? {
        guard let sizing = progress.sizing else { return nil }
        let text = "  Sizing \(sizing.text)"
        return text.count <= canvas.usableColumns ? StyledText(text, .faint) : nil
    }

    /// The lines about groups, at most `room`; none if only their number would fit.
    private func groupLines(_ room: Int, on canvas: Canvas) -> [StyledText] {
        let most = min(Self.mostGroups, groups.count <= room ? room : room - 1)
        guard most > 0 else { return [] }
        var lines = groups.prefix(most).map { GroupLine(group: $0, canvas: canvas).text }
        let rest = groups.count - lines.count
        if rest > 0 {
            let text = "  +\(rest) more \(rest == 1 ? "group" : "groups")"
            lines.append(StyledText(text.truncatedInTheMiddle(to: canvas.usableColumns, mark: ""), .faint))
        }
        return lines
    }

    private func remarkLine(_ remark: String, on canvas: Canvas) -> StyledText {
        let text = "  " + remark.withoutControls()
        return StyledText(text.truncatedInTheMiddle(to: canvas.usableColumns, mark: canvas.ellipsis), .faint)
    }

    private static let fewItemLines = 5
    private static let mostGroups = 5
}
