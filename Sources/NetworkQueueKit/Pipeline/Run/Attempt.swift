import Foundation

/// The state of the current attempt. Each retry starts with a new value.
struct Attempt: Sendable {
    /// The destination of the content.
    let target: DownloadTarget
    /// The current exchange as derived from the request and its redirects, without what is added for this hop only.
    var exchange: HTTPExchange?
    /// The first exchange, if the download may be split.
    var firstExchange: HTTPExchange?
    /// The changes that the user's authenticator made to the request, if there is one.
    var authorization: RequestAuthorization?
    /// The exchange that is under way, unless it brings the result.
    var step: UploadStep?
    /// The status of the latest response.
    var statusCode: Int?
    /// The state of the current response.
    var response = ResponseState.none
    /// The response that several exchanges fetch, and the sink for its whole content.
    var splitResponse: (head: ResponseHead, sink: any BodySink)?
    var redirectCount = 0
    /// The number of challenges received.
    var demandCount = 0
    /// Whether the response is the result even if it is a redirect or a challenge.
    var takesResponseAsItIs = false
    /// Whether no more content is wanted, so that stopping the exchange is not a failure.
    var isSatisfied = false
    /// Whether the cookies of the current response are being stored.
    var isStoringCookies = false
    /// Whether the response was rejected. Its head is reported only if no other attempt follows.
    var isRejected = false
    /// The stage that the attempt has reached.
    var stage = Stage.waiting
    /// The context for monitors, created once there are any.
    var context: AttemptContext?
    /// The transport's measurements of the latest exchange.
    var exchangeMetrics: ExchangeMetrics?
    /// The number of stored bytes, including resumed ones.
    var bytesReceived: Int64 = 0
    var bytesResumed: Int64 = 0
    var expectedLength: Int64?
    /// The number of content bytes that the exchange has sent.
    var bytesSent: Int64 = 0
    /// The number of content bytes that earlier pieces of an upload have sent.
    var bytesSentBefore: Int64 = 0
    /// The time from the start of the run to the head of the response.
    var timeToFirstByte: Duration?

    /// The stages of an attempt. They only move forward.
    enum Stage {
        /// Not started: the run waits for a slot or for a retry.
        case waiting
        /// Started, but without an exchange so far. A file that is kept needs none.
        case begun
        /// At least one exchange has started.
        case sent
    }

    /// The URL of the exchange for errors and logs; `nil` if it is a secret.
    var exchangeURL: URL? { step?.hidesURL == true ? nil : exchange?.url }

    /// Moves the response state out.
    mutating func takeResponse() -> ResponseState {
        let taken = response
        response = .none
        return taken
    }

    init(_ target: DownloadTarget) {
        self.target = target
    }
}

/// The failure of an attempt.
struct AttemptFailure: Sendable {
    /// The result of the request if no other attempt follows.
    var result = RequestResult()
    var error: NetworkError
    /// Whether the known content length also holds for the next attempt.
    var keepsLength = false

    /// The failure with the URL of the exchange that failed: a redirect may have led to another server.
    func located(at url: URL?) -> AttemptFailure {
        var failure = self
        failure.error.exchangeURL = error.exchangeURL ?? url
        return failure
    }
}

/// The state of an exchange's response, and the use of the content that arrives.
enum ResponseState: Sendable {
    /// No final head has arrived.
    case none
    /// A redirect or a challenge. The content is kept, because the response may become the result after all.
    indirect case interim(ProvisionalResponse)
    /// The content cannot continue the stored bytes. It is skipped, and this exchange fetches all of it.
    indirect case startOver(HTTPExchange, BodyExcerpt)
    case accepted(ResponseHead, any BodySink)
    indirect case rejected(ResponseHead, NetworkError, BodyExcerpt)
    /// A response that decides how an upload goes on.
    indirect case answered(ResponseHead, BodyExcerpt)
    /// The operation fails with this error; no more content is taken.
    indirect case failed(ResponseHead?, NetworkError)

    var isAccepted: Bool { if case .accepted = self { true } else { false } }
    var isInterim: Bool { if case .interim = self { true } else { false } }

    /// The head of the actual or failed result.
    var head: ResponseHead? {
        switch self {
        case .none, .interim, .startOver: nil
        case .accepted(let head, _), .rejected(let head, _, _), .answered(let head, _): head
        case .failed(let head, _): head
        }
    }
}

/// A redirect or a challenge. It is the result only if the user wants that.
struct ProvisionalResponse: Sendable {
    enum Meaning: Sendable {
        case redirect(to: HTTPExchange)
        case challenge(ServerChallenge, isProxy: Bool)
        /// A 401 that asks for neither user name nor password. The user's authenticator may be able to answer it.
        case unauthorized
    }

    let head: ResponseHead
    let meaning: Meaning
    let kept: BodyExcerpt
    /// Whether `kept` holds the whole content.
    var isWhole = true
}
