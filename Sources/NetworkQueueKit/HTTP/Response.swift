import Foundation

/// A complete response, with the content in memory or in a file.
public struct Response: Sendable {
    /// The head of the response.
    public var head: ResponseHead
    /// The content; `nil` unless the destination is `.memory` or this is an error's response.
    public var data: Data? {
        get { content?.value }
        set { content = newValue.map { Secret($0) } }
    }
    private var content: Secret<Data>?
    /// The file with the content, at its final place; `nil` unless the destination is `.file`.
    public var fileURL: URL?
    /// The measurements of the request; `nil` before the operation has ended.
    public var metrics: RequestMetrics?
    /// Whether an existing file was kept because it was up to date, or because another download wrote it meanwhile; or
    /// whether an upload was not needed (``NetworkRequest/uploadCondition-swift.property``). Default `false`.
    public var wasKept = false

    /// Creates a response, for example in a test.
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

/// Descriptions leave out the content, which may be a token.
extension Response: CustomStringConvertible {
    /// The head, with the size of the content or the name of its file.
    public var description: String {
        let content = data.map { "\($0.count) bytes" } ?? fileURL.map { "file \($0.lastPathComponent)" }
        return content.map { "\(head), \($0)" } ?? "\(head)"
    }
}
