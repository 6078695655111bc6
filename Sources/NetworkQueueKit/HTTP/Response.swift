import Foundation

/// A whole response, where its destination has put it.
public struct Response: Sendable {
    /// The head of the response.
    public var head: ResponseHead
    /// The content; `nil` unless the destination is `.memory`, or the response is an error's.
    public var data: Data? {
        get { content?.value }
        set { content = newValue.map { Secret($0) } }
    }
    private var content: Secret<Data>?
    /// The file with the content, in its place; `nil` unless the destination is `.file`.
    public var fileURL: URL?
    /// What it took; `nil` before the end of the operation.
    public var metrics: RequestMetrics?
    /// Whether the file was there before and is current, or has come from another download meanwhile; it was not
    /// written. Default `false`.
    public var wasKept = false

    /// Creates a response by hand.
    public init(
        head: ResponseHead, data: Data? = nil, fileURL: URL? = nil, metrics: RequestMetrics? = nil,
        wasKept: Bool = false
    ) {
        self.wasKept = wasKept
        self.head = head
        content = data.map { Secret($0) }
        self.fileURL = fileURL
        self.metrics = metrics
    }
}

/// The former name of ``Response``.
public typealias ResponseContent = Response

/// Texts without the content, which may be a token that was asked for.
extension Response: CustomStringConvertible {
    /// The head, and how long the content is or where.
    public var description: String {
        let content = data.map { "\($0.count) bytes" } ?? fileURL.map { "file \($0.lastPathComponent)" }
        return content.map { "\(head), \($0)" } ?? "\(head)"
    }
}
