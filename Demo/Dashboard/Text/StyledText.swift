/// Text in one or more styles. Its width counts only the text.
public struct StyledText: Sendable, Hashable {
    private struct Span: Hashable {
        var text: String
        var ink: Ink
    }

    private var spans: [Span] = []

    /// Creates a text in one style.
    public init(_ text: String = "", _ ink: Ink = .plain) {
        append(text, ink)
    }

    /// The text without styles.
    public var plain: String { spans.map(\.text).joined() }

    /// The number of terminal columns that the text takes.
    public var columns: Int { spans.reduce(0) { $0 + $1.text.displayColumns } }

    /// Appends text in one style.
    public mutating func append(_ text: String, _ ink: Ink = .plain) {
        if !text.isEmpty { spans.append(Span(text: text, ink: ink)) }
    }

    /// Appends styled text.
    public mutating func append(_ other: StyledText) {
        spans += other.spans
    }

    /// The text for a terminal, with escape sequences if colors may be used.
    public func rendered(hasColor: Bool) -> String {
        guard hasColor else { return plain }
        return spans.reduce(into: "") { result, span in
            guard let parameter = span.ink.parameter else {
                result += span.text
                return
            }
            result += "\u{1B}[\(parameter)m\(span.text)\u{1B}[0m"
        }
    }
}
