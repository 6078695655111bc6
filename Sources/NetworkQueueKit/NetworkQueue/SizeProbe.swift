import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What makes a request one that asks for a size only.
///
/// It is put on top of the user's request when that becomes an exchange, or before, where an adapter may look at it: on Linux,
/// to change the method and a field of a `URLRequest` takes a fifth of what a small request takes.
enum SizeProbe: Sendable {
    /// A HEAD.
    case head
    /// A GET for the first byte.
    case firstByte

    var method: String {
        switch self {
        case .head: "HEAD"
        case .firstByte: "GET"
        }
    }

    /// The fields that take the place of the request's own.
    var fields: [(name: String, value: String)] {
        // The length of a coded content is not that of the file.
        switch self {
        case .head: [("Accept-Encoding", "identity")]
        case .firstByte: [("Accept-Encoding", "identity"), ("Range", "bytes=0-0")]
        }
    }
}

extension NetworkRequest {
    /// The method to send.
    var method: String { sizeProbe?.method ?? urlRequest.httpMethod ?? "GET" }

    /// What is to be sent in Foundation's form, for those who want to look at it.
    var urlRequestToSend: URLRequest {
        guard let sizeProbe else { return urlRequest }
        var request = urlRequest
        request.httpMethod = sizeProbe.method
        for (name, value) in sizeProbe.fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// The same request with a `urlRequest` that shows what is to be sent.
    var withVisibleProbe: NetworkRequest {
        var visible = self
        visible.urlRequest = urlRequestToSend
        visible.sizeProbe = nil
        return visible
    }
}
