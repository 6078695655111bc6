/// The codings of a download's content.
extension DownloadTarget {
    /// Adds the codings that can be decoded, if the request accepts compressed content; otherwise returns `nil`.
    ///
    /// Such an exchange never asks for a range: offsets in the decoded file say nothing about offsets in compressed
    /// content.
    func withAcceptedCodings(_ exchange: HTTPExchange, for request: NetworkRequest) -> HTTPExchange? {
        guard request.acceptsCompressed, exchange.headers.mayGain("Accept-Encoding"),
            !exchange.headers.contains("Range"), let codings = ContentCoding.accepted
        else { return nil }
        var exchange = exchange
        exchange.headers["Accept-Encoding"] = codings
        return exchange
    }

    /// The coding to decode: one that ``withAcceptedCodings(_:for:)`` has asked for, or one that the server uses unasked
    /// for content that goes to memory. Files and sinks get unrequested codings as sent, because a known checksum may
    /// apply to them.
    func codingToDecode(
        of head: ResponseHead, to exchange: HTTPExchange, _ request: NetworkRequest
    ) throws(NetworkError) -> ContentCoding? {
        guard let coding = ContentCoding(head.headers) else { return nil }
        if request.acceptsCompressed, isDecoded || isAsked(by: exchange, for: request, head) {
            if case .unknown = coding { throw Inflater.damaged }
            return coding
        }
        // If the caller sets `Accept-Encoding`, decoding is up to the caller. A range of coded content cannot be
        // decoded.
        guard case .memory = request.destination, !exchange.headers.contains("Accept-Encoding"),
            head.statusCode != 206, ContentCoding.accepted != nil
        else { return nil }
        if case .unknown = coding { return nil }
        return coding
    }

    /// Whether a response may have a coding because ``withAcceptedCodings(_:for:)`` has asked for it.
    private func isAsked(by exchange: HTTPExchange, for request: NetworkRequest, _ head: ResponseHead) -> Bool {
        guard let codings = ContentCoding.accepted, exchange.headers["Accept-Encoding"] == codings else { return false }
        return !request.headers.contains("Accept-Encoding") && head.statusCode != 206
    }
}
