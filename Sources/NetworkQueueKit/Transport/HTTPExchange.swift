import Foundation

/// One HTTP request as it goes over the wire.
public struct HTTPExchange: Sendable {
    /// The absolute `http` or `https` URL. User information in it is not sent.
    public var url: URL
    /// The method, in upper case unless it is the user's own.
    public var method: String
    /// The header fields in the order they are sent. `Content-Length` and `Transfer-Encoding` come from `body`.
    public var headers: HTTPHeaders
    /// The `Proxy-Authorization` field for the proxy, if the transport uses one. Never sent to a server.
    public var proxyAuthorization: String?
    /// The content to send, or `nil` for none.
    public var body: (any ExchangeBody)?
    /// The longest silence from the server; `nil` means that the transport's configuration decides.
    public var idleTimeout: Duration?
    /// The longest time for the whole exchange; `nil` means that the transport's configuration decides.
    public var totalTimeout: Duration?

    /// What limits the speed of the exchange, shared with others; `nil`, the default, means nothing.
    public var pacer: (any ExchangePacer)?

    /// Creates an exchange.
    public init(
        url: URL, method: String = "GET", headers: HTTPHeaders = HTTPHeaders(), body: (any ExchangeBody)? = nil,
        idleTimeout: Duration? = nil, totalTimeout: Duration? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
    }
}

/// Content of a known length that can be read again from any offset, so that it survives a new connection,
/// a redirect, a challenge and a retry.
public protocol ExchangeBody: Sendable {
    /// The length in bytes.
    var length: Int64 { get }
    /// Fills `buffer` with the bytes from `offset` on and returns how many they are; 0 only at the end.
    ///
    /// Called on the transport's thread, with rising offsets, or with a lower one to send again.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}
