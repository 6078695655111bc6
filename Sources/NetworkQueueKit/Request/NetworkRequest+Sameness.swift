import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension NetworkRequest {
    /// Of a longer content, so much of the beginning and of the end goes into the digest.
    private static var digestedLength: Int { 4096 }

    /// Whether both ask for the same and put it in the same place.
    func asksForSame(as other: NetworkRequest) -> Bool {
        urlRequest.isSame(as: other.urlRequest) && sizeProbe == other.sizeProbe && body == other.body
            && destination == other.destination
            && expectedChecksum == other.expectedChecksum && acceptsCompressed == other.acceptsCompressed
            && credential?.user == other.credential?.user && credential?.password == other.credential?.password
    }

    /// Equal for requests that ask for the same, and different for most others: also for those that differ in a range, in
    /// their content or in the file alone, of which there may be thousands for one URL.
    var digest: Int {
        var hasher = Hasher()
        hasher.combine(urlRequest.url?.absoluteString)
        hasher.combine(method)
        if let fields = urlRequest.allHTTPHeaderFields, !fields.isEmpty { hasher.combine(fields) }
        if let content = urlRequest.httpBody { Self.combine(content, into: &hasher) }
        if case .data(let content)? = body?.content {
            Self.combine(content, into: &hasher)
        } else if body != nil {
            hasher.combine(body)
        }
        if case .file(let url, _, _) = destination { hasher.combine(url.absoluteString) }
        return hasher.finalize()
    }

    /// `Data` itself would only give its first 80 bytes.
    private static func combine(_ content: Data, into hasher: inout Hasher) {
        hasher.combine(content.count)
        content.prefix(digestedLength).withUnsafeBytes { hasher.combine(bytes: $0) }
        content.dropFirst(digestedLength).suffix(digestedLength).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension URLRequest {
    /// Whether both ask for the same. Foundation on Linux compares neither bodies nor header fields.
    func isSame(as other: URLRequest) -> Bool {
        self == other && httpMethod == other.httpMethod && httpBody == other.httpBody
            && (allHTTPHeaderFields ?? [:]) == (other.allHTTPHeaderFields ?? [:])
    }
}
