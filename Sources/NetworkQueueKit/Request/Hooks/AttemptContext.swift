import Foundation

/// What a hook is told about the attempt that it works on. A value, so that a hook can be tested without a network.
public struct AttemptContext: Sendable {
    /// The operation whose attempt it is.
    public var operationID: RequestID
    /// The request as it was given to the queue, with the queue's own ``RequestQueueing/headers`` and
    /// ``RequestQueueing/acceptsCompressed``.
    public var request: NetworkRequest
    /// The request as the adapters have left it, without its content; `nil` before it is sent.
    public var sentRequest: URLRequest? {
        get { givenRequest?.value ?? exchange?.urlRequest }
        set {
            givenRequest = newValue.map { Secret($0) }
            exchange = nil
        }
    }
    private var givenRequest: Secret<URLRequest>?
    /// What ``sentRequest`` is made of on demand, which is slow on Linux.
    private var exchange: HTTPExchange?
    /// The number of the attempt: 1 for the first.
    public var attempt: Int
    /// The time since the operation's start.
    public var elapsed: Duration
    /// The status of the attempt's latest response, accepted or not; `nil` before there is one.
    public var statusCode: Int?

    /// Creates a context by hand.
    ///
    /// - Parameter operationID: `nil`, the default, means that of no other operation.
    public init(
        operationID: RequestID? = nil, request: NetworkRequest, sentRequest: URLRequest? = nil, attempt: Int = 1,
        elapsed: Duration = .zero, statusCode: Int? = nil
    ) {
        self.operationID = operationID ?? .next()
        self.request = request
        givenRequest = sentRequest.map { Secret($0) }
        self.attempt = attempt
        self.elapsed = elapsed
        self.statusCode = statusCode
    }

    init(
        operationID: RequestID, request: NetworkRequest, sent exchange: HTTPExchange?, attempt: Int, elapsed: Duration,
        statusCode: Int?
    ) {
        self.operationID = operationID
        self.request = request
        self.exchange = exchange
        self.attempt = attempt
        self.elapsed = elapsed
        self.statusCode = statusCode
    }

    /// Notes what has been sent.
    mutating func note(sent exchange: HTTPExchange) {
        self.exchange = exchange
    }
}
