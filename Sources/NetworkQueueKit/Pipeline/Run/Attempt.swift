/// What a run knows of the attempt under way. A retry begins with a new one, so that nothing of the former is left.
struct Attempt: Sendable {
    /// Where the content goes.
    var target: DownloadTarget
    /// The exchange under way, as the request and its redirects make it: without what is added for this hop only.
    var exchange: HTTPExchange?
    /// The first exchange, of a download that may be split.
    var firstExchange: HTTPExchange?
    /// What the user's authenticator has made of the request, where there is one.
    var authorization: RequestAuthorization?
    /// The status of the latest response.
    var statusCode: Int?
    /// What has come of it.
    var response = ResponseState.none
    /// The response whose content several exchanges fetch, with the sink for all of it.
    var splitResponse: (head: ResponseHead, sink: any BodySink)?
    var redirectCount = 0
    /// How often credentials were demanded.
    var demandCount = 0
    /// Whether the response is the result even if it leads elsewhere or asks for credentials.
    var takesResponseAsItIs = false
    /// Whether no more content is wanted: the exchange is stopped, and that is not a failure.
    var isSatisfied = false
    /// Whether the cookies of the response under way are on their way into their storage.
    var isStoringCookies = false
    /// Whether the response has been rejected: its head is told of when no other attempt follows.
    var isRejected = false
    /// How far it has come.
    var stage = Stage.waiting
    /// What monitors are told about it, made once there are any.
    var context: AttemptContext?
    /// What the transport has measured of the latest exchange.
    var exchangeMetrics: ExchangeMetrics?
    /// The bytes of content that are there, resumed ones included.
    var bytesReceived: Int64 = 0
    var bytesResumed: Int64 = 0
    var expectedLength: Int64?
    /// Bytes of content that the exchange has sent.
    var bytesSent: Int64 = 0
    /// From the start of the run to the head of the response.
    var timeToFirstByte: Duration?

    /// How far an attempt has come. It goes from one to the next, and not back.
    enum Stage {
        /// Not begun: the run waits for a slot, or for the time of a retry.
        case waiting
        /// Begun, and no exchange has been started for it yet. A file that is kept needs none.
        case begun
        /// An exchange has been started for it.
        case sent
    }

    /// What has come of the exchange; nothing is left of it here.
    mutating func takeResponse() -> ResponseState {
        let taken = response
        response = .none
        return taken
    }

    init(_ target: DownloadTarget) {
        self.target = target
    }
}

/// How an attempt has failed.
struct AttemptFailure: Sendable {
    /// What the request ends with if there is no other attempt.
    var result = RequestResult()
    let error: NetworkError
    /// Whether what has been learnt of the content's length holds for the next attempt, too.
    var keepsLength = false
}

/// What has come of an exchange, and what the content that arrives is for.
enum ResponseState: Sendable {
    /// No final head yet.
    case none
    /// The response leads elsewhere or asks for credentials. Its content is kept for the case that it is the result
    /// after all.
    indirect case interim(ProvisionalResponse)
    /// The response cannot be put behind the bytes that are there; its content is skipped, and this exchange brings
    /// all.
    indirect case startOver(HTTPExchange, BodyExcerpt)
    case accepted(ResponseHead, any BodySink)
    indirect case rejected(ResponseHead, NetworkError, BodyExcerpt)
    /// Nothing more is taken: the operation fails with this.
    indirect case failed(ResponseHead?, NetworkError)

    var isAccepted: Bool { if case .accepted = self { true } else { false } }
    var isInterim: Bool { if case .interim = self { true } else { false } }

    /// The head of what is the result, or would have been.
    var head: ResponseHead? {
        switch self {
        case .none, .interim, .startOver: nil
        case .accepted(let head, _), .rejected(let head, _, _): head
        case .failed(let head, _): head
        }
    }
}

/// A response that is not the result, unless the user wants it to be.
struct ProvisionalResponse: Sendable {
    enum Meaning: Sendable {
        case redirect(to: HTTPExchange)
        case challenge(ServerChallenge, isProxy: Bool)
        /// A 401 that asks for neither a name nor a password, and that the user's authenticator may have an answer to.
        case unauthorized
    }

    let head: ResponseHead
    let meaning: Meaning
    let kept: BodyExcerpt
    /// Whether `kept` is all of the content.
    var isWhole = true
}
