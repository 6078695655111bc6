/// The lines that stand at the bottom of a terminal for a while.
public struct Frame: Sendable, Hashable {
    /// From top to bottom.
    public var lines: [StyledText]

    /// Creates a frame.
    public init(lines: [StyledText]) {
        self.lines = lines
    }

    /// The lines as text without inks.
    public var plain: [String] { lines.map(\.plain) }
}
