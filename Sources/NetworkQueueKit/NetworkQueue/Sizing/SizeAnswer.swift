/// The two ways to ask for the size of a download, and what an answer is worth.
struct SizeAnswer {
    /// The size; `nil` when the answer does not tell.
    let bytes: Int64?
    /// Whether there is nothing to download.
    let isMissing: Bool
    /// Whether a server has answered.
    let isAnswer: Bool
    /// Whether the server refuses HEAD, so that the other way is worth trying. Presigned URLs, for instance, allow GET only.
    let isWorthAskingAgain: Bool

    /// Reads the answer to a probe that has ended.
    init(_ probe: RequestOperation) {
        guard let head = probe.responseHead, probe.error == nil else {
            bytes = nil
            isMissing = false
            isAnswer = false
            isWorthAskingAgain = false
            return
        }
        let isHead = probe.request.method == "HEAD"
        isAnswer = true
        isMissing = [404, 410].contains(head.statusCode)
        isWorthAskingAgain = isHead && [403, 405, 501].contains(head.statusCode)
        switch head.statusCode {
        case 206 where !isHead, 416 where !isHead: bytes = ContentRange(head.headers["Content-Range"])?.total
        // The length of a coded content is not that of the file.
        case 200..<300 where !head.headers.contains("Content-Encoding"): bytes = head.expectedContentLength
        default: bytes = nil
        }
    }

    /// A HEAD for the same resource.
    static func head(for request: NetworkRequest) -> NetworkRequest {
        probe(.head, for: request)
    }

    /// A GET for its first byte; the total comes with it.
    static func range(for request: NetworkRequest) -> NetworkRequest {
        probe(.firstByte, for: request)
    }

    private static func probe(_ kind: SizeProbe, for request: NetworkRequest) -> NetworkRequest {
        var probe = NetworkRequest(request.url, headers: request.headers)
        probe.timeout = request.timeout
        probe.sizeProbe = kind
        probe.credential = request.credential
        probe.adapters = request.adapters
        probe.priority = request.priority
        probe.destination = .discard
        probe.validation = ResponseValidation.none
        probe.retryPolicy = .never
        return probe
    }
}
