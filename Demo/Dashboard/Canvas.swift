/// What there is to draw on.
public struct Canvas: Sendable, Hashable {
    /// Which characters the terminal can show.
    public enum Charset: Sendable, Hashable {
        /// ASCII alone.
        case ascii
        /// All of Unicode, in UTF-8.
        case unicode
    }

    /// The terminal's columns. The last one stays empty, because many terminals wrap when it is written.
    public var columns: Int
    /// The terminal's rows.
    public var rows: Int
    /// Which characters may be used.
    public var charset: Charset
    /// Whether colours may be used.
    public var hasColour: Bool
    /// Whether the terminal breaks lines anew that are too long for it when it becomes narrower; others cut them.
    public var breaksLines: Bool

    /// Creates a canvas, by default one of 80 × 24 without colours.
    public init(
        columns: Int = 80, rows: Int = 24, charset: Charset = .unicode, hasColour: Bool = false,
        breaksLines: Bool = true
    ) {
        self.columns = columns
        self.rows = rows
        self.charset = charset
        self.hasColour = hasColour
        self.breaksLines = breaksLines
    }

    /// The columns that a line may take.
    var usableColumns: Int { max(1, columns - 1) }

    var separator: String { charset == .unicode ? " · " : ", " }

    var ellipsis: String { charset == .unicode ? "…" : "..." }

    /// One position of the turning sign; `tick` is any counter.
    func spinner(_ tick: Int) -> String {
        let positions =
            charset == .unicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
        return positions[Int(UInt(bitPattern: tick) % UInt(positions.count))]
    }
}
