/// What one run of a request took. Times are measured on a monotonic clock.
public struct RequestMetrics: Sendable, Hashable {
    /// From the start of the operation to its end.
    public var duration: Duration
    /// From being added to a queue to the start of the operation, to a tenth of a millisecond; `nil` where it was in no
    /// queue of this library.
    public var queueDuration: Duration?
    /// How long the question for the size of the download took; `nil` where there was none.
    public var sizingDuration: Duration?
    /// From the start of the operation to the head of the last attempt's response, accepted or not; `nil` when that
    /// attempt got none.
    public var timeToFirstByte: Duration?
    /// Bytes of content received in the last attempt, as they came over the wire; what it continued is not among them.
    public var bytesReceived: Int64
    /// Bytes of content sent in the last attempt.
    public var bytesSent: Int64
    /// How many redirects the last attempt followed.
    public var redirectCount: Int
    /// How many attempts have sent something: 1 without a retry, 0 where the request failed before it was sent.
    public var attempts: Int
    /// What the transport has measured of the last exchange of the last attempt: the connection's phases, and whether
    /// it was used before; `nil` where the transport measures nothing.
    public var exchange: ExchangeMetrics?

    /// Creates metrics by hand, for a preview or a test.
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

/// What a transport has measured of one exchange. What it cannot know is `nil`.
public struct ExchangeMetrics: Sendable, Hashable {
    /// How long the host's name was looked up; `nil` where a connection that was open already has been used.
    public var nameLookup: Duration?
    /// How long connecting took, after the lookup and without TLS; `nil` where a connection that was open already has
    /// been used.
    public var connect: Duration?
    /// How long the TLS handshake took; `nil` without TLS, and where a connection that was open already has been used.
    public var tlsHandshake: Duration?
    /// From the start of the exchange to the first byte of the response.
    public var timeToFirstByte: Duration?
    /// From the start of the exchange to its end.
    public var duration: Duration?
    /// Whether the exchange has used a connection that was open before.
    public var isConnectionReused: Bool?
    /// The protocol by which the response came: `HTTP/1.1`, `HTTP/2` or `HTTP/3`.
    public var httpVersion: String?
    /// The address that the connection leads to, the proxy's where there is one, without the port.
    public var remoteAddress: String?

    /// Creates metrics by hand, for a transport of your own or a test.
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
