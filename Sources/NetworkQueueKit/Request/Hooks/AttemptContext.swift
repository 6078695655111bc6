import Foundation

/// The information that a hook receives about its attempt. A value, so that hooks can be tested without a network.
public struct AttemptContext: Sendable {
    // On the heap, because monitors receive a copy at each step: stored inline, these fields make a monitor that does
    // nothing cost 5 % of a small request.
    private struct Fields: Sendable {
        var operationID: RequestID
        var request: Source
        var givenRequest: Secret<URLRequest>?
        /// The source of `sentRequest`, which is built on demand: on Linux this is the slowest step here.
        var exchange: HTTPExchange?
        var attempt: Int
        var mirror: Secret<URL>?
    }

    private enum Source: Sendable {
        indirect case value(NetworkRequest)
        /// Copied on each access.
        case deferred(@Sendable () -> NetworkRequest)

        var request: NetworkRequest {
            switch self {
            case .value(let request): request
            case .deferred(let make): make()
            }
        }
    }

    private var fields: CopyOnWrite<Fields>

    /// The operation that the attempt belongs to.
    public var operationID: RequestID {
        get { fields.value.operationID }
        set { fields.value.operationID = newValue }
    }
    /// The request as it was added to the queue, completed with the queue's ``RequestQueueing/headers`` and
    /// ``RequestQueueing/acceptsCompressed``.
    public var request: NetworkRequest {
        get { fields.value.request.request }
        set { fields.value.request = .value(newValue) }
    }
    /// The entry of the request's ``NetworkRequest/mirrors`` that the attempt uses, without user and password; `nil`
    /// for the request's own URL.
    public var mirror: URL? {
        get { fields.value.mirror?.value }
        set { fields.value.mirror = newValue.map { Secret($0) } }
    }
    /// The request after adapters, authenticator and redirects; `nil` before that.
    ///
    /// It lacks the content and what is added last: cookies, the authorization for a user name and password, and
    /// `Accept-Encoding: identity`.
    public var sentRequest: URLRequest? {
        get { fields.value.givenRequest?.value ?? fields.value.exchange?.urlRequest }
        set {
            fields.value.givenRequest = newValue.map { Secret($0) }
            fields.value.exchange = nil
        }
    }
    /// The number of the attempt: 1 for the first.
    public var attempt: Int {
        get { fields.value.attempt }
        set { fields.value.attempt = newValue }
    }
    /// The time since the operation started.
    public var elapsed: Duration
    /// The status of the attempt's latest response, whether accepted or not; `nil` before the first.
    public var statusCode: Int?

    /// Creates a context, for example in a test.
    ///
    /// - Parameters:
    ///   - operationID: the operation's ID. `nil`, the default, creates a new one.
    ///   - request: the request as it was given to the queue.
    ///   - sentRequest: the request after adapters and authenticator. `nil`, the default, before that.
    ///   - attempt: the number of the attempt. Default 1, the first.
    ///   - elapsed: the time since the operation's start. Default zero.
    ///   - statusCode: the status of the latest response. `nil`, the default, if there is none.
    ///   - mirror: the mirror in use. `nil`, the default, means the request's own URL.
    public init(
        operationID: RequestID? = nil, request: NetworkRequest, sentRequest: URLRequest? = nil, attempt: Int = 1,
        elapsed: Duration = .zero, statusCode: Int? = nil, mirror: URL? = nil
    ) {
        fields = CopyOnWrite(
            Fields(
                operationID: operationID ?? .next(), request: .value(request),
                givenRequest: sentRequest.map { Secret($0) },
                exchange: nil, attempt: attempt, mirror: mirror.map { Secret($0) }))
        self.elapsed = elapsed
        self.statusCode = statusCode
    }

    init(
        operationID: RequestID, request: @escaping @Sendable () -> NetworkRequest, mirror: URL?,
        sent exchange: HTTPExchange?, attempt: Int, elapsed: Duration,
        statusCode: Int?
    ) {
        fields = CopyOnWrite(
            Fields(
                operationID: operationID, request: .deferred(request), givenRequest: nil, exchange: exchange,
                attempt: attempt, mirror: mirror.map { Secret($0) }))
        self.elapsed = elapsed
        self.statusCode = statusCode
    }

    mutating func note(sent exchange: HTTPExchange) {
        fields.value.exchange = exchange
    }
}
