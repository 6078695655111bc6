/// The measurements of one run of a request. Durations are measured with a monotonic clock.
public struct RequestMetrics: Sendable, Hashable {
    /// The time from the start of the operation to its end.
    public var duration: Duration
    /// The time from adding to the queue to the start of the operation; `nil` outside this library's queues.
    public var queueDuration: Duration?
    /// The duration of the request's sizing; `nil` if it was not sized.
    public var sizingDuration: Duration?
    /// The time from the start of the operation to the head of the last attempt's response, whether accepted or not;
    /// `nil` if that attempt received none.
    public var timeToFirstByte: Duration?
    /// The bytes of content received on the wire in the last attempt, without any resumed part.
    public var bytesReceived: Int64
    /// The bytes of content sent in the last attempt.
    public var bytesSent: Int64
    /// The number of redirects followed in the last attempt.
    public var redirectCount: Int
    /// The number of attempts that sent something: 1 without a retry, 0 if the request failed before it was sent.
    public var attempts: Int
    /// The transport's measurements of the last exchange in the last attempt; `nil` if the transport provides none.
    public var exchange: ExchangeMetrics?

    /// Creates metrics, for use in previews and tests.
    public init(
        duration: Duration = .zero, queueDuration: Duration? = nil, sizingDuration: Duration? = nil,
        timeToFirstByte: Duration? = nil, bytesReceived: Int64 = 0, bytesSent: Int64 = 0, redirectCount: Int = 0,
        attempts: Int = 1, exchange: ExchangeMetrics? = nil
    ) {
        self.duration = duration
        self.queueDuration = queueDuration
        self.sizingDuration = sizingDuration
        self.timeToFirstByte = timeToFirstByte
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
        self.redirectCount = redirectCount
        self.attempts = attempts
        self.exchange = exchange
    }
}

/// A transport's measurements of one exchange. Values that the transport cannot determine are `nil`.
public struct ExchangeMetrics: Sendable, Hashable {
    /// The duration of the name look-up; `nil` if an open connection was reused.
    public var nameLookup: Duration?
    /// The duration of connecting, without look-up and TLS; `nil` if an open connection was reused.
    public var connect: Duration?
    /// The duration of the TLS handshake; `nil` without TLS, or if an open connection was reused.
    public var tlsHandshake: Duration?
    /// The time from the start of the exchange to the first byte of the response.
    public var timeToFirstByte: Duration?
    /// The time from the start of the exchange to its end.
    public var duration: Duration?
    /// Whether the exchange reused an open connection.
    public var isConnectionReused: Bool?
    /// The protocol version of the response: `HTTP/1.1`, `HTTP/2` or `HTTP/3`.
    public var httpVersion: String?
    /// The remote address of the connection, without the port; the proxy's address if one is used.
    public var remoteAddress: String?

    /// Creates metrics, for use in tests and custom transports.
    public init(
        nameLookup: Duration? = nil, connect: Duration? = nil, tlsHandshake: Duration? = nil,
        timeToFirstByte: Duration? = nil, duration: Duration? = nil, isConnectionReused: Bool? = nil,
        httpVersion: String? = nil, remoteAddress: String? = nil
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.tlsHandshake = tlsHandshake
        self.timeToFirstByte = timeToFirstByte
        self.duration = duration
        self.isConnectionReused = isConnectionReused
        self.httpVersion = httpVersion
        self.remoteAddress = remoteAddress
    }
}
