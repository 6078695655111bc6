import Foundation

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
