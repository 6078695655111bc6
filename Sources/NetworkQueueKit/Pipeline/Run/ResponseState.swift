/// What has come of an exchange, and what the content that arrives is for.
enum ResponseState: Sendable {
    /// No final head yet.
    case none
    /// The response leads elsewhere or asks for credentials. Its content is kept for the case that it is the result after all.
    indirect case interim(ProvisionalResponse)
    /// The response cannot be put behind the bytes that are there; its content is skipped, and this exchange brings all.
    indirect case startOver(HTTPExchange, BodyExcerpt)
    case accepted(ResponseHead, any BodySink)
    indirect case rejected(ResponseHead, NetworkError, BodyExcerpt)
    /// Nothing more is taken: the operation fails with this.
    indirect case failed(ResponseHead?, NetworkError)

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
