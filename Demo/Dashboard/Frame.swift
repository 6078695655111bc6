/// The lines shown temporarily at the bottom of a terminal.
public struct Frame: Sendable, Hashable {
    /// The lines from top to bottom.
    public var lines: [StyledText]

    /// Creates a frame.
    public init(lines: [StyledText]) {
        self.lines = lines
    }

    /// The lines as text without styles.
    public var plain: [String] { lines.map(\.plain) }
}
