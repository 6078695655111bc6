import Foundation

/// What makes a request one that asks for a size only.
///
/// It is put on top of the user's request when that becomes an exchange, or before, where an adapter may look at it.
enum SizeProbe: Sendable {
    /// A HEAD.
    case head
    /// A GET for the first byte.
    case firstByte
    /// One of them whose method and fields are in the request already.
    case visible

    /// The method that takes the place of the request's own; `nil` leaves that.
    var method: String? {
        switch self {
        case .head: "HEAD"
        case .firstByte: "GET"
        case .visible: nil
        }
    }

    /// The fields that take the place of the request's own.
    var fields: [(name: String, value: String)] {
        // The length of a coded content is not that of the file.
        switch self {
        case .head: [("Accept-Encoding", "identity")]
        case .firstByte: [("Accept-Encoding", "identity"), ("Range", "bytes=0-0")]
        case .visible: []
        }
    }
}

extension NetworkRequest {
    /// Whether it asks for a size only.
    var isSizeProbe: Bool { sizeProbe != nil }

    /// The same request with a method and header fields that show what is to be sent.
    var withVisibleProbe: NetworkRequest {
        guard let sizeProbe, let method = sizeProbe.method else { return self }
        var visible = self
        visible.sizeProbe = .visible
        visible.method = method
        for (name, value) in sizeProbe.fields { visible.headers.set(value, for: name) }
        return visible
    }
}
