import Foundation

/// The content of a request, which can be sent more than once: on a new connection, after a redirect, or in a retry.
///
/// ```swift
/// request.body = .file(url)
/// request.body = .multipart(form)
/// request.body = try .json(value)
/// request.body = .urlEncodedForm(["name": "value"])
/// ```
///
/// The request gets the body's `Content-Type` unless its header fields already have one.
public struct RequestBody: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case data(Data)
        case file(URL)
        case multipart(MultipartForm)
        case stream(StreamSource)
    }

    /// The file that is the content.
    package var file: URL? {
        if case .file(let url) = content { url } else { nil }
    }

    let content: Content
    /// The `Content-Type` of the body; `nil` for none.
    public let contentType: String?

    /// Bytes in memory, without a `Content-Type`.
    public static func data(_ data: Data) -> RequestBody {
        RequestBody(content: .data(data), contentType: nil)
    }

    /// Bytes in memory, with a `Content-Type`.
    public static func data(_ data: Data, contentType: String) -> RequestBody {
        RequestBody(content: .data(data), contentType: contentType)
    }

    /// A file, read while it is sent and never held in memory. Its `Content-Type` is derived from its name.
    ///
    /// Do not change the file while the operation runs. The operation fails with `.bodyUnavailable` if the file is
    /// missing, unreadable or not a regular file, and if its size, its modification time or the file itself changes
    /// before the end.
    public static func file(_ url: URL) -> RequestBody {
        RequestBody(content: .file(url), contentType: MediaType.ofFile(named: url.lastPathComponent))
    }

    /// A file, as with ``file(_:)``, with a `Content-Type`.
    public static func file(_ url: URL, contentType: String) -> RequestBody {
        RequestBody(content: .file(url), contentType: contentType)
    }

    /// A form with fields and files (`multipart/form-data`, RFC 7578), whose files are read while they are sent.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(content: .multipart(form), contentType: form.contentType)
    }

    /// Content that a closure supplies while it is sent, never held in memory as a whole.
    ///
    /// The closure reads by position, so that the content can be sent again: on a new connection, after a redirect, or
    /// in a retry.
    ///
    /// - Parameters:
    ///   - length: the length in bytes.
    ///   - contentType: the `Content-Type`. Default `nil`: none.
    ///   - read: returns the bytes that start at an offset: at least one, and at most the given count. It is called
    ///     serially on the transport's thread, which serves no other request meanwhile. Offsets increase until the
    ///     content is sent again from an earlier one. An error, no bytes, or too many bytes fail the request with
    ///     `.bodyUnavailable`; a thrown ``NetworkError`` is reported unchanged.
    public static func stream(
        length: Int64, contentType: String? = nil,
        read: @escaping @Sendable (_ offset: Int64, _ maximumCount: Int) throws -> Data
    ) -> RequestBody {
        RequestBody(content: .stream(StreamSource(length: length, read: read)), contentType: contentType)
    }

    /// Compares what is sent, except for the random boundary of a multipart form.
    public static func == (left: RequestBody, right: RequestBody) -> Bool {
        guard left.content == right.content else { return false }
        if case .multipart = left.content { return true }
        return left.contentType.equals(bytesOf: right.contentType)
    }

    /// Hashes the content.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(content)
    }
}

/// Descriptions leave out the content, which may include a password.
extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// The kind of body with its length or its file name.
    public var description: String {
        switch content {
        case .data(let data): "\(data.count) bytes" + (contentType.map { " of \($0)" } ?? "")
        case .file(let url): "file \(url.lastPathComponent)"
        case .multipart(let form): "\(form)"
        case .stream(let source): "\(source.length) bytes from a stream" + (contentType.map { " of \($0)" } ?? "")
        }
    }

    /// The description alone, so that `dump` shows no content.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension MultipartForm: CustomStringConvertible, CustomReflectable {
    /// The number of parts.
    public var description: String { "form of \(parts.count) parts" }

    /// The description alone, so that `dump` shows no content.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

/// A stream closure with its length. Compared by identity, since its content is unknown until it is read.
final class StreamSource: Sendable, Hashable {
    let length: Int64
    let read: @Sendable (_ offset: Int64, _ maximumCount: Int) throws -> Data

    init(length: Int64, read: @escaping @Sendable (_ offset: Int64, _ maximumCount: Int) throws -> Data) {
        self.length = max(length, 0)
        self.read = read
    }

    static func == (left: StreamSource, right: StreamSource) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
