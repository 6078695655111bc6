/// Turns frames into what a terminal has to be sent, so that each takes the place of the one before.
///
/// Every method returns the bytes for exactly one write. The cursor is hidden while a frame stands, and rests behind its
/// last line.
public struct FramePainter: Sendable {
    /// The widths of the lines that stand on the screen.
    private var standing: [Int] = []
    private var isCursorHidden = false

    /// Brings a terminal in order that a frame has been left on: lines wrap, the cursor is seen, and letters have no colour.
    public static let reset = wrapOn + showCursor + "\u{1B}[0m"

    /// Creates a painter for a cursor at the beginning of an empty line.
    public init() {}

    /// Puts `frame` in the place of the one before, and `log` for good above it.
    public mutating func paint(_ frame: Frame, log: [String] = [], on canvas: Canvas) -> String {
        var output = isCursorHidden ? "" : Self.hideCursor
        isCursorHidden = true
        output += home(on: canvas)
        // A log line may wrap, so that erasing behind it would come too late for the rows above.
        if !log.isEmpty { output += Self.eraseBelow }
        for line in log { output += line + "\r\n" }
        // For widths that are misjudged, or that have just changed.
        output += Self.wrapOff
        output += frame.lines.map { $0.rendered(hasColour: canvas.hasColour) + Self.eraseToEndOfLine }
            .joined(separator: "\r\n")
        output += Self.wrapOn
        if log.isEmpty, frame.lines.count < rows(on: canvas) { output += Self.eraseBelow }
        standing = frame.lines.map(\.columns)
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

    /// To the first column of the first line that stands.
    private func home(on canvas: Canvas) -> String {
        let rows = rows(on: canvas)
        return "\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "")
    }

    /// How many rows the standing lines take now: in a window that has become narrower, terminals have wrapped them.
    private func rows(on canvas: Canvas) -> Int {
        let columns = max(1, canvas.columns)
        return standing.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    }

    private static let hideCursor = "\u{1B}[?25l"
    private static let showCursor = "\u{1B}[?25h"
    private static let eraseToEndOfLine = "\u{1B}[K"
    private static let wrapOff = "\u{1B}[?7l"
    private static let wrapOn = "\u{1B}[?7h"
    private static let eraseBelow = "\u{1B}[J"
}
