/// What makes a response one that is not to be relied on, whatever transport has brought it.
extension ResponseHead {
    /// The most bytes that the heads of an exchange may have together.
    static let maximumSize = 300 * 1024
    static let sizeFault = "Its head has more than 300 KB."
    /// The most interim (1xx) responses of an exchange.
    static let maximumInterimCount = 100
    static let interimFault = "There are more than 100 interim responses before it."

    /// What is wrong with the response, as a sentence for people; `nil` for one that is in order.
    ///
    /// Everything behind this check is linear in the size of the head, and what would cost more has a limit of its own.
    ///
    /// - Parameters:
    ///   - framing: that of its fields.
    ///   - storesCookies: whether its cookies are to be kept.
    func fault(_ framing: HTTPHeaders.Framing, storesCookies: Bool) -> String? {
        if framing.size > Self.maximumSize { return Self.sizeFault }
        if framing.hasTransferEncoding, let fault = headers.fault(framing) { return fault }
        return storesCookies && hasCookies ? headers.cookieFault : nil
    }
}

extension HTTPHeaders {
    /// What is wrong with how the content is framed: by its length and as chunks it may be, by nothing else.
    ///
    /// Libraries beneath decode other transfer codings (RFC 9112, section 7) without being asked, and past every limit.
    func fault(_ framing: Framing) -> String? {
        guard framing.hasTransferEncoding else { return nil }
        // Proxies that pass on a server's field beside their own repeat it: the content is chunked once.
        let codings = values(for: "Transfer-Encoding")
        return codings.allSatisfy { $0.utf8.lowercasedText == "chunked" }
            ? nil : "It has a transfer coding other than chunked."
    }

    /// What is too much about the cookies of a response.
    fileprivate var cookieFault: String? {
        let lengths = valueLengths(for: "Set-Cookie", limit: SetCookie.maximumCount)
        if lengths.count > SetCookie.maximumCount { return "It sets more than \(SetCookie.maximumCount) cookies." }
        return lengths.contains { $0 > SetCookie.maximumLength }
            ? "It sets a cookie of more than \(SetCookie.maximumLength / 1024) KB." : nil
    }
}

extension ResponseHead {
    /// Whether the response has cookies that count: those of an origin.
    ///
    /// What a proxy says in the clear, be it a demand for credentials or its answer to CONNECT, sets none for the server behind
    /// it.
    var hasCookies: Bool {
        guard headers.contains("Set-Cookie") else { return false }
        return !isFromProxy || statusCode != 407 && url.scheme?.lowercased() == "http"
    }
}
