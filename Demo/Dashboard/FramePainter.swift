/// Renders frames as terminal output in which each frame replaces the previous one.
///
/// Each method returns the bytes for exactly one write. While a frame is shown, the cursor is hidden and rests at the
/// end of the last line.
public struct FramePainter: Sendable {
    /// The number of frames to remember. The terminal may become narrower this many frames before the program learns of
    /// it; at ten frames a second, that is longer than tmux takes to report a resize.
    private static let memory = 4

    /// The widths of the lines on the screen.
    private var standing: [Int] = []
    /// The line widths of the latest frames painted for the same canvas width; the last one is on the screen.
    private var recent: [[Int]] = []
    /// The canvas width for which the lines on the screen were cut.
    private var columns = 0
    private var isCursorHidden = false

    /// Restores a terminal on which a frame was left: enables wrapping, shows the cursor and resets colors.
    public static let reset = wrapOn + showCursor + "\u{1B}[0m"

    /// Creates a painter; the cursor must be at the beginning of an empty line.
    public init() {}

    /// Replaces the previous frame with `frame` and prints `log` permanently above it.
    public mutating func paint(_ frame: Frame, log: [String] = [], on canvas: Canvas) -> String {
        var output = isCursorHidden ? "" : Self.hideCursor
        isCursorHidden = true
        output += home(on: canvas)
        let isResized = !standing.isEmpty && canvas.columns != columns
        // Erase before printing a log line, which may wrap; erasing after it would be too late for the rows above. Also
        // erase after a resize: terminals such as tmux treat overwritten rows as parts of one long line, but erased
        // rows as lines of their own.
        if !log.isEmpty || isResized { output += Self.eraseBelow }
        // Remains of a long line may be left above. Let an empty row, not the frame's first row, be the end of that
        // line.
        if isResized, !isHomeCertain(on: canvas) { output += "\r\n" }
        for line in log { output += line + "\r\n" }
        // Wrapping is off in case a width is misjudged or has just changed.
        output += Self.wrapOff
        output += frame.lines.map { $0.rendered(hasColor: canvas.hasColor) + Self.eraseToEndOfLine }
            .joined(separator: "\r\n")
        output += Self.wrapOn
        if log.isEmpty, !isResized, frame.lines.count < standing.count { output += Self.eraseBelow }
        remember(frame.lines.map { min($0.columns, canvas.columns) }, on: canvas)
        return output
    }

    /// Erases the frame, prints `log` in its place and shows the cursor again.
    public mutating func clear(log: [String] = [], on canvas: Canvas) -> String {
        var output = standing.isEmpty ? "" : home(on: canvas) + Self.eraseBelow
        for line in log { output += line + "\r\n" }
        standing = []
        return output + showCursor()
    }

    /// Leaves the frame on the screen, moves to the line below it and shows the cursor again.
    public mutating func leave() -> String {
        let output = standing.isEmpty ? "" : "\r\n"
        standing = []
        return output + showCursor()
    }

    private mutating func showCursor() -> String {
        defer { isCursorHidden = false }
        return isCursorHidden ? Self.showCursor : ""
    }

    private mutating func remember(_ lines: [Int], on canvas: Canvas) {
        if standing.isEmpty || canvas.columns > columns {
            recent = []
        } else if canvas.columns < columns {
            // The empty entry stands for a frame without broken lines: if the window is still becoming narrower, the
            // terminal may have cut this frame to a width that the program does not know yet.
            recent = [[]]
        }
        recent = (recent + [lines]).suffix(Self.memory)
        standing = lines
        columns = canvas.columns
    }

    /// Moves to the first column of the first row that certainly belongs to the frame; rows above may be the user's.
    private func home(on canvas: Canvas) -> String {
        let rows = standing.count + (brokenRows(on: canvas).min() ?? 0)
        return "\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "")
    }

    private func isHomeCertain(on canvas: Canvas) -> Bool {
        let rows = brokenRows(on: canvas)
        return rows.min() == rows.max()
    }

    /// The possible numbers of extra rows that the frame takes because a narrower window has re-wrapped its lines: one
    /// for each frame that may have been on the screen at that moment. The terminal cut later frames to the new width.
    private func brokenRows(on canvas: Canvas) -> [Int] {
        guard canvas.breaksLines, canvas.columns < columns else { return [] }
        let width = max(1, canvas.columns)
        return recent.map { $0.reduce(0) { $0 + max(0, ($1 - 1) / width) } }
    }

    private static let hideCursor = "\u{1B}[?25l"
    private static let showCursor = "\u{1B}[?25h"
    private static let eraseToEndOfLine = "\u{1B}[K"
    private static let wrapOff = "\u{1B}[?7l"
    private static let wrapOn = "\u{1B}[?7h"
    private static let eraseBelow = "\u{1B}[J"
}
