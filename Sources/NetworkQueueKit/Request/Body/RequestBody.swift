import Foundation

/// The content of a request. It can be sent more than once: on a new connection, after a redirect, in a retry.
///
///     request.body = .file(url)
///     request.body = .multipart(form)
///     request.body = try .json(value)
///     request.body = .urlEncodedForm(["name": "value"])
///
/// The request gets the body's `Content-Type` unless its header fields have one.
public struct RequestBody: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case data(Data)
        case file(URL)
        case multipart(MultipartForm)
        case stream(StreamSource)
    }

    let content: Content
    /// What the body says of itself in `Content-Type`; `nil` when it says nothing.
    public let contentType: String?

    /// Bytes in memory, without a `Content-Type`.
    public static func data(_ data: Data) -> RequestBody {
        RequestBody(content: .data(data), contentType: nil)
    }

    /// Bytes in memory and their `Content-Type`.
    public static func data(_ data: Data, contentType: String) -> RequestBody {
        RequestBody(content: .data(data), contentType: contentType)
    }

    /// A file, read while it is sent and never held in memory. Its `Content-Type` follows from its name.
    ///
    /// The file must stay as it is from the start of the operation to its end: the operation fails with
    /// `.bodyUnavailable` when it is missing, unreadable or no regular file, and when its size, its modification time
    /// or the file itself has changed meanwhile.
    public static func file(_ url: URL) -> RequestBody {
        RequestBody(content: .file(url), contentType: MediaType.ofFile(named: url.lastPathComponent))
    }

    /// A file, as ``file(_:)``, and its `Content-Type`.
    public static func file(_ url: URL, contentType: String) -> RequestBody {
        RequestBody(content: .file(url), contentType: contentType)
    }

    /// A form with fields and files (`multipart/form-data`, RFC 7578), whose files are read while they are sent.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(content: .multipart(form), contentType: form.contentType)
    }

    /// Content that your code brings while it is sent, never held in memory as a whole.
    ///
    /// It is read by position, so that it can be sent again: on a new connection, after a redirect, in a retry.
    ///
    /// - Parameters:
    ///   - length: how many bytes there are.
    ///   - contentType: what they are; `nil`, the default, means no `Content-Type`.
    ///   - read: called with an offset and the most bytes that are wanted; returns the bytes from that offset on, at
    ///     least one. Called on the transport's thread, one call after the other, with rising offsets, or with a lower
    ///     one to send again; other requests wait meanwhile. What it throws fails the request with `.bodyUnavailable`,
    ///     and so do no bytes before the end.
    public static func stream(
        length: Int64, contentType: String? = nil,
        read: @escaping @Sendable (_ offset: Int64, _ maximumCount: Int) throws -> Data
    ) -> RequestBody {
        RequestBody(content: .stream(StreamSource(length: length, read: read)), contentType: contentType)
    }

    /// Bodies are equal when they send the same: a form's boundary, which is random, does not count.
    public static func == (left: RequestBody, right: RequestBody) -> Bool {
        guard left.content == right.content else { return false }
        if case .multipart = left.content { return true }
        return left.contentType == right.contentType
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(content)
    }
}

/// Texts without the content, which may be a password.
extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// What kind of body it is and how long, or which file.
    public var description: String {
        switch content {
        case .data(let data): "\(data.count) bytes" + (contentType.map { " of \($0)" } ?? "")
        case .file(let url): "file \(url.lastPathComponent)"
        case .multipart(let form): "\(form)"
        case .stream(let source): "\(source.length) bytes from a stream" + (contentType.map { " of \($0)" } ?? "")
        }
    }

    /// What `dump` shows: the description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension MultipartForm: CustomStringConvertible, CustomReflectable {
    /// How many parts there are.
    public var description: String { "form of \(parts.count) parts" }

    /// What `dump` shows: the description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

/// Content that the user's code brings. Equal to itself alone: what it will bring cannot be known.
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
