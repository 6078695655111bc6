import Foundation

/// Whose part a download may continue, and what its own is called in a sidecar.
struct PartOwner: Sendable {
    let name: String
    /// Whether the checksum of the whole decides alone: a part that any server has begun is continued.
    let isChecksum: Bool

    /// - Parameter isMirror: whether the exchange is to a mirror of the request's own URL. Entity tags of different
    ///   servers cannot be compared, so a `resumeKey`, which names what they have in common, is not for it.
    init(of exchange: HTTPExchange, for request: NetworkRequest, isMirror: Bool) {
        isChecksum = request.mayUseMirrors && request.expectedChecksum != nil
        // Neither can be mistaken for a URL that is asked for: those are absolute.
        name =
            if isChecksum, let checksum = request.expectedChecksum {
                "checksum:\(checksum)"
            } else if !isMirror, let key = request.resumeKey {
                "key:\(key)"
            } else {
                exchange.url.absoluteString
            }
    }

    /// The owner of the parts of a URL.
    init(url: String) {
        name = url
        isChecksum = false
    }

    /// Whether a part that is described so may be continued.
    func owns(_ sidecar: Sidecar) -> Bool { isChecksum || sidecar.url.utf8.elementsEqual(name.utf8) }

    /// Whether a response is about the state of the content that a part has come from.
    func accepts(_ headers: HTTPHeaders, behind sidecar: Sidecar) -> Bool {
        isChecksum || sidecar.validators.match(headers)
    }
}
