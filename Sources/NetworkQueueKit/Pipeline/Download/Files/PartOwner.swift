import Foundation

/// Identifies the parts that a download may continue, by the name in their sidecars.
struct PartOwner: Sendable {
    let name: String
    /// Whether the checksum of the whole content decides alone, so that a part from any server is continued.
    let isChecksum: Bool

    /// - Parameters:
    ///   - isMirror: whether the exchange goes to a mirror of the request's URL. A mirror ignores the `resumeKey`,
    ///     because entity tags of different servers cannot be compared.
    ///   - name: the URL to which the part belongs; `nil` for that of the exchange.
    init(of exchange: HTTPExchange, for request: NetworkRequest, isMirror: Bool, named name: String?) {
        isChecksum = request.mayUseMirrors && request.expectedChecksum != nil
        // Neither name can equal a requested URL, which starts with http or https.
        self.name =
            if isChecksum, let checksum = request.expectedChecksum {
                "checksum:\(checksum)"
            } else if !isMirror, let key = request.resumeKey {
                "key:\(key)"
            } else {
                name ?? exchange.url.absoluteString
            }
    }

    /// The owner of the parts of a URL.
    init(url: String) {
        name = url
        isChecksum = false
    }

    /// Whether this owner may continue a part with that sidecar.
    func owns(_ sidecar: Sidecar) -> Bool { isChecksum || sidecar.url.utf8.elementsEqual(name.utf8) }

    /// Whether a response describes the same state of the content as the part.
    func accepts(_ headers: HTTPHeaders, behind sidecar: Sidecar) -> Bool {
        isChecksum || sidecar.validators.match(headers)
    }
}
