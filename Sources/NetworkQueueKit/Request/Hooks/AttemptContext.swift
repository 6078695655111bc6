import Foundation

/// What a hook is told about the attempt that it works on. A value, so that a hook can be tested without a network.
public struct AttemptContext: Sendable {
    // On the heap, as monitors are handed a copy at each step: without that, one that does nothing costs 5 % of a small
    // request.
    private struct Fields: Sendable {
        var operationID: RequestID
        var request: Source
        var givenRequest: Secret<URLRequest>?
        /// What the request that was sent is made of, on demand: on Linux that takes longer than all else here.
        var exchange: HTTPExchange?
        var attempt: Int
        var mirror: Secret<URL>?
    }

    private enum Source: Sendable {
        indirect case value(NetworkRequest)
        /// Copied when it is asked for.
        case deferred(@Sendable () -> NetworkRequest)

        var request: NetworkRequest {
            switch self {
            case .value(let request): request
            case .deferred(let make): make()
            }
        }
    }

    private var fields: CopyOnWrite<Fields>

    /// The operation whose attempt it is.
    public var operationID: RequestID {
        get { fields.value.operationID }
        set { fields.value.operationID = newValue }
    }
    /// The request as it was given to the queue, with the queue's own ``RequestQueueing/headers`` and
    /// ``RequestQueueing/acceptsCompressed``.
    public var request: NetworkRequest {
        get { fields.value.request.request }
        set { fields.value.request = .value(newValue) }
    }
    /// Which of the request's ``NetworkRequest/mirrors`` the attempt goes to, without user and password; `nil` for the
    /// request's own URL.
    public var mirror: URL? {
        get { fields.value.mirror?.value }
        set { fields.value.mirror = newValue.map { Secret($0) } }
    }
    /// The request as the adapters have left it, without its content; `nil` before it is sent.
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
    /// The time since the operation's start.
    public var elapsed: Duration
    /// The status of the attempt's latest response, accepted or not; `nil` before there is one.
    public var statusCode: Int?

    /// Creates a context by hand.
    ///
    /// - Parameter operationID: `nil`, the default, means that of no other operation.
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

    /// Notes what has been sent.
    mutating func note(sent exchange: HTTPExchange) {
        fields.value.exchange = exchange
    }
}
