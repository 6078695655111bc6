/// Turns frames into what a terminal has to be sent, so that each takes the place of the one before.
///
/// Every method returns the bytes for exactly one write. The cursor is hidden while a frame stands, and rests behind
/// its last line.
public struct FramePainter: Sendable {
    /// How many frames the terminal may have been narrower for before the program learnt of it: at ten frames a second,
    /// longer than tmux takes to tell.
    private static let memory = 4

    /// The widths of the lines that stand on the screen.
    private var standing: [Int] = []
    /// Those of the latest frames that were painted for the same width, the standing one being the last.
    private var recent: [[Int]] = []
    /// The width that the standing lines were cut to.
    private var columns = 0
    private var isCursorHidden = false

    /// Brings a terminal in order that a frame has been left on: lines wrap, the cursor is seen, and letters have no
    /// colour.
    public static let reset = wrapOn + showCursor + "\u{1B}[0m"

    /// Creates a painter for a cursor at the beginning of an empty line.
    public init() {}

    /// Puts `frame` in the place of the one before, and `log` for good above it.
    public mutating func paint(_ frame: Frame, log: [String] = [], on canvas: Canvas) -> String {
        var output = isCursorHidden ? "" : Self.hideCursor
        isCursorHidden = true
        output += home(on: canvas)
        let isResized = !standing.isEmpty && canvas.columns != columns
        // A log line may wrap, so that erasing behind it would come too late for the rows above. After a resize, rows
        // that are written over are still parts of one long line to terminals such as tmux; only erased ones are lines
        // of their own.
        if !log.isEmpty || isResized { output += Self.eraseBelow }
        // An empty row takes the place of the frame's first as the end of a line of which something is left above.
        if isResized, !isHomeCertain(on: canvas) { output += "\r\n" }
        for line in log { output += line + "\r\n" }
        // For widths that are misjudged, or that have just changed.
        output += Self.wrapOff
        output += frame.lines.map { $0.rendered(hasColour: canvas.hasColour) + Self.eraseToEndOfLine }
            .joined(separator: "\r\n")
        output += Self.wrapOn
        if log.isEmpty, !isResized, frame.lines.count < standing.count { output += Self.eraseBelow }
        remember(frame.lines.map { min($0.columns, canvas.columns) }, on: canvas)
        return output
    }

    /// Takes the frame away, puts `log` in its place, and shows the cursor again.
    public mutating func clear(log: [String] = [], on canvas: Canvas) -> String {
        var output = standing.isEmpty ? "" : home(on: canvas) + Self.eraseBelow
        for line in log { output += line + "\r\n" }
        standing = []
        return output + showCursor()
    }

    /// Leaves the frame where it is, goes to the line below it, and shows the cursor again.
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
            // The window may go on to become narrower, and this frame may have been cut to a width that is not known
            // yet.
            recent = [[]]
        }
        recent = (recent + [lines]).suffix(Self.memory)
        standing = lines
        columns = canvas.columns
    }

    /// To the first column of the first row that certainly belongs to the frame: what is above it may be the user's.
    private func home(on canvas: Canvas) -> String {
        let rows = standing.count + (brokenRows(on: canvas).min() ?? 0)
        return "\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "")
    }

    private func isHomeCertain(on canvas: Canvas) -> Bool {
        let rows = brokenRows(on: canvas)
        return rows.min() == rows.max()
    }

    /// How many rows more the frame takes where a window that has become narrower has broken its lines: a number for
    /// each of the frames that may have been standing then, as later ones have been cut to the new width.
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
