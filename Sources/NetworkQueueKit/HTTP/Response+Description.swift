/// Texts without the content, which may be a token that was asked for.
extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The head, and how long the content is or where.
    public var description: String {
        let content = data.map { "\($0.count) bytes" } ?? fileURL.map { "file \($0.lastPathComponent)" }
        return content.map { "\(head), \($0)" } ?? "\(head)"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// What `dump` shows: the content as its length.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "head": head, "data": data.map { "\($0.count) bytes" } as Any, "fileURL": fileURL as Any,
            ], displayStyle: .struct)
    }
}
