/// The answer to a size probe. The probe is a HEAD, or a GET for the first byte.
struct SizeAnswer {
    /// The size; `nil` if the answer does not give it.
    let bytes: Int64?
    /// Whether the content does not exist.
    let isMissing: Bool
    /// Whether a server answered.
    let isAnswer: Bool
    /// Whether the connection was lost.
    let isLoss: Bool
    /// Whether too many probes at a time may have been the cause.
    let isTrouble: Bool
    /// Whether the server refuses more requests for now.
    let isQuotaRefusal: Bool
    /// How many more requests the server allows for now; `nil` if it does not tell.
    let remainingQuota: Int64?
    /// The head of the whole content, if the server described it.
    let head: ResponseHead?
    /// Whether to try the GET after the HEAD: presigned URLs answer HEAD with 403. Not after 405 or 501, because some
    /// links can be used only once.
    let isWorthAskingAgain: Bool
    /// The status; `nil` if no server answered.
    let statusCode: Int?
    /// The answer of ``NetworkRequest/freshURL``, if the probe asked for one.
    let freshURL: FreshURLAnswer?

    /// Reads the answer to a probe that has ended.
    init(_ probe: RequestOperation) {
        freshURL = probe.freshURLAnswer
        // A probe that may ask for a fresh URL rejects the status after which it asks.
        guard let head = probe.responseHead, [nil, .httpStatus(head.statusCode)].contains(probe.error?.code) else {
            statusCode = nil
            bytes = nil
            isMissing = false
            isAnswer = false
            // A connection that was lost before the probe was sent says nothing about probes.
            let isHandshakeCut = probe.error?.isHandshakeCut == true
            isLoss = probe.error?.code == .connectionLost && !isHandshakeCut
            isTrouble = isLoss || isHandshakeCut || probe.error?.code == .cannotConnectToHost
            isQuotaRefusal = false
            remainingQuota = nil
            self.head = nil
            isWorthAskingAgain = false
            return
        }
        let isHead = probe.request.method == "HEAD"
        statusCode = head.statusCode
        isAnswer = true
        isLoss = false
        isTrouble = head.statusCode == 503
        isQuotaRefusal = head.isQuotaRefusal
        remainingQuota = head.headers.framing.hasQuota ? RequestQuota.remaining(in: head) : nil
        isMissing = [404, 410].contains(head.statusCode)
        let mayHaveExpired = head.statusCode != 410 && probe.request.renews(after: head.statusCode)
        isWorthAskingAgain = isHead && (head.statusCode == 403 || mayHaveExpired) && !isQuotaRefusal
        switch head.statusCode {
        case 206 where !isHead, 416 where !isHead: bytes = ContentRange(head.headers["Content-Range"])?.total
        // The length of encoded content is not the size of the file.
        case 200..<300 where head.mayDescribeContent && ContentCoding.name(in: head.headers) == nil:
            bytes = head.expectedContentLength
        default: bytes = nil
        }
        self.head = (200..<300).contains(head.statusCode) && head.mayDescribeContent ? head.ofWhole(bytes) : nil
    }

    /// A HEAD for the same resource. Only a 410 makes it ask for a fresh URL: any other status may be due to the
    /// method.
    static func head(for request: NetworkRequest) -> NetworkRequest {
        probe(.head, for: request, renewingAfter: 410)
    }

    /// A GET for the first byte; the answer gives the total. The status of the HEAD makes it ask for a fresh URL.
    static func range(for request: NetworkRequest, after status: Int?) -> NetworkRequest {
        probe(.firstByte, for: request, renewingAfter: status)
    }

    private static func probe(
        _ kind: SizeProbe, for request: NetworkRequest, renewingAfter status: Int?
    ) -> NetworkRequest {
        var probe = NetworkRequest(request.url, headers: request.headers)
        probe.idleTimeout = request.idleTimeout
        probe.sizeProbe = kind
        probe.credential = request.credential
        if !request.sendsCredentialUnasked { probe.sendsCredentialUnasked = false }
        probe.adapters = request.adapters
        probe.priority = request.priority
        probe.destination = .discard
        probe.validation = ResponseValidation.none
        if request.hasFreshURL {
            probe.freshLink = request.freshLink
            if let status, request.renews(after: status) {
                probe.validation = .statusCodes(Set(100...999).subtracting([status]))
            }
        }
        probe.retryPolicy = .never
        return probe
    }
}

extension RequestOperation {
    /// What the answer to a HEAD or to a GET for the first byte says about the whole content: its size and its head, as
    /// far as the server has described it.
    package var sizeAnswer: (size: Int64?, head: ResponseHead?) {
        let answer = SizeAnswer(self)
        return (answer.bytes, answer.head)
    }
}

extension NetworkRequest {
    /// Whether a response with this status makes it ask for a fresh URL.
    fileprivate func renews(after status: Int) -> Bool { hasFreshURL && freshURLStatusCodes.contains(status) }
}

extension ResponseHead {
    /// The head that a GET for the whole content would have had, made from a 206 for the first byte. Any other head is
    /// returned unchanged.
    fileprivate func ofWhole(_ size: Int64?) -> ResponseHead {
        guard statusCode == 206 else { return self }
        var head = self
        head.statusCode = 200
        head.headers.removeAll(named: "Content-Range")
        head.headers["Content-Length"] = size.map(String.init)
        return head
    }
}
