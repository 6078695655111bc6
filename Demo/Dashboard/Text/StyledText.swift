/// Text with inks. Its width is that of the text alone.
public struct StyledText: Sendable, Hashable {
    private struct Span: Hashable {
        var text: String
        var ink: Ink
    }

    private var spans: [Span] = []

    /// Creates a text with one ink.
    public init(_ text: String = "", _ ink: Ink = .plain) {
        append(text, ink)
    }

    /// The text without inks.
    public var plain: String { spans.map(\.text).joined() }

    /// How many columns the text takes.
    public var columns: Int { spans.reduce(0) { $0 + $1.text.displayColumns } }

    /// Adds text at the end.
    public mutating func append(_ text: String, _ ink: Ink = .plain) {
        if !text.isEmpty { spans.append(Span(text: text, ink: ink)) }
    }

    /// Adds text at the end.
    public mutating func append(_ other: StyledText) {
        spans += other.spans
    }

    /// The text as a terminal wants it.
    public func rendered(hasColour: Bool) -> String {
        guard hasColour else { return plain }
        return spans.reduce(into: "") { result, span in
            guard let parameter = span.ink.parameter else {
                result += span.text
                return
            }
            result += "\u{1B}[\(parameter)m\(span.text)\u{1B}[0m"
        }
    }
}
