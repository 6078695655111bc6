/// Texts without the content, which may be a token that was asked for.
extension Response: CustomStringConvertible {
    /// The head, and how long the content is or where.
    public var description: String {
        let content = data.map { "\($0.count) bytes" } ?? fileURL.map { "file \($0.lastPathComponent)" }
        return content.map { "\(head), \($0)" } ?? "\(head)"
    }
}
