/// The kind of a request that only asks for a size.
///
/// Its method and fields replace those of the user's request when the exchange is created, or earlier if an adapter may
/// look at them.
enum SizeProbe: Sendable {
    /// A HEAD request.
    case head
    /// A GET request for the first byte.
    case firstByte
    /// A probe whose method and fields have already been applied to the request.
    case visible

    /// The method that replaces the request's own; `nil` keeps it.
    var method: String? {
        switch self {
        case .head: "HEAD"
        case .firstByte: "GET"
        case .visible: nil
        }
    }

    /// The header fields that replace the request's own.
    var fields: [(name: String, value: String)] {
        // With a content coding, `Content-Length` would not be the size of the file.
        switch self {
        case .head: [("Accept-Encoding", "identity")]
        case .firstByte: [("Accept-Encoding", "identity"), ("Range", "bytes=0-0")]
        case .visible: []
        }
    }
}

extension NetworkRequest {
    /// Whether the request only asks for a size.
    var isSizeProbe: Bool { sizeProbe != nil }

    /// The request with the method and header fields of its size probe applied.
    var withVisibleProbe: NetworkRequest {
        guard let sizeProbe, let method = sizeProbe.method else { return self }
        var visible = self
        visible.sizeProbe = .visible
        visible.method = method
        for (name, value) in sizeProbe.fields where !headers.isSuppressed(name) {
            visible.headers.set(value, for: name)
        }
        return visible
    }
}
