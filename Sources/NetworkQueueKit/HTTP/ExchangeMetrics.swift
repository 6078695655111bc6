/// What a transport has measured of one exchange. What it cannot know is `nil`.
public struct ExchangeMetrics: Sendable, Hashable {
    /// How long the host's name was looked up; `nil` where a connection that was open already has been used.
    public var nameLookup: Duration?
    /// How long connecting took, after the lookup and without TLS; `nil` where a connection that was open already has been used.
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
