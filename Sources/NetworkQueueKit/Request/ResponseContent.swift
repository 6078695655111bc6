import Foundation

/// A whole response, where its destination has put it.
public struct ResponseContent: Sendable {
    /// The head of the response.
    public var head: ResponseHead
    /// The content; `nil` unless the destination is `.memory`.
    public var data: Data?
    /// The file with the content, in its place; `nil` unless the destination is `.file`.
    public var fileURL: URL?

    /// Creates content.
    public init(head: ResponseHead, data: Data? = nil, fileURL: URL? = nil) {
        self.head = head
        self.data = data
        self.fileURL = fileURL
    }
}
