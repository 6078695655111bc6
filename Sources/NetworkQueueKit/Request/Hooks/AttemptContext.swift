import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a hook is told about the attempt that it works on. A value, so that a hook can be tested without a network.
public struct AttemptContext: Sendable {
    /// The operation whose attempt it is.
    public var operationID: RequestID
    /// The request as it was given to the queue.
    public var request: NetworkRequest
    /// The request as the adapters have left it, without its content; `nil` before it is sent.
    public var sentRequest: URLRequest? {
        get { givenRequest ?? exchange?.urlRequest }
        set {
            givenRequest = newValue
            exchange = nil
        }
    }
    private var givenRequest: URLRequest?
    /// What ``sentRequest`` is made of, on demand: on Linux that takes longer than all else here.
    private var exchange: HTTPExchange?
    /// The number of the attempt: 1 for the first.
    public var attempt: Int
    /// The time since the operation's start.
    public var elapsed: Duration

    /// Creates a context by hand.
    ///
    /// - Parameter operationID: `nil`, the default, means that of no other operation.
    public init(
        operationID: RequestID? = nil, request: NetworkRequest, sentRequest: URLRequest? = nil, attempt: Int = 1,
        elapsed: Duration = .zero
    ) {
        self.operationID = operationID ?? .next()
        self.request = request
        givenRequest = sentRequest
        self.attempt = attempt
        self.elapsed = elapsed
    }

    init(operationID: RequestID, request: NetworkRequest, sent exchange: HTTPExchange?, attempt: Int, elapsed: Duration)
    {
        self.operationID = operationID
        self.request = request
        self.exchange = exchange
        self.attempt = attempt
        self.elapsed = elapsed
    }
}
