/// The size and capabilities of the terminal to draw on.
public struct Canvas: Sendable, Hashable {
    /// The characters that the terminal can show.
    public enum Charset: Sendable, Hashable {
        /// ASCII only.
        case ascii
        /// All of Unicode, as UTF-8.
        case unicode
    }

    /// The number of columns. The last column stays empty, because many terminals wrap when it is written.
    public var columns: Int
    /// The number of rows.
    public var rows: Int
    /// The characters that may be used.
    public var charset: Charset
    /// Whether colors may be used.
    public var hasColor: Bool
    /// Whether a terminal that becomes narrower re-wraps lines that are now too long. Other terminals cut them off.
    public var breaksLines: Bool

    /// Creates a canvas; by default 80 × 24, without colors.
    public init(
        columns: Int = 80, rows: Int = 24, charset: Charset = .unicode, hasColor: Bool = false,
        breaksLines: Bool = true
    ) {
        self.columns = columns
        self.rows = rows
        self.charset = charset
        self.hasColor = hasColor
        self.breaksLines = breaksLines
    }

    /// The number of columns that a line may use.
    var usableColumns: Int { max(1, columns - 1) }

    var separator: String { charset == .unicode ? " · " : ", " }

    var ellipsis: String { charset == .unicode ? "…" : "..." }

    /// The spinner's frame for a counter.
    func spinner(_ tick: Int) -> String {
        let positions =
            charset == .unicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
        return positions[Int(UInt(bitPattern: tick) % UInt(positions.count))]
    }
}
