import Foundation

/// An endpoint for a single request that needs no type of its own. Its value is the content of the response.
///
/// ```swift
/// BasicEndpoint(url).start { result in print(result) }
/// ```
public struct BasicEndpoint: Endpoint {
    /// The request to send.
    public var request: NetworkRequest

    /// Creates an endpoint for a request.
    public init(_ request: NetworkRequest) {
        self.request = request
    }

    /// Creates an endpoint for a Foundation request.
    public init(_ request: URLRequest) {
        self.init(NetworkRequest(request))
    }

    /// Creates an endpoint for a GET request.
    public init(_ url: URL) {
        self.init(NetworkRequest(url))
    }

    /// The request's URL.
    public var url: URL { request.url }
    /// The request's method.
    public var method: String { request.method }
    /// The request's header fields.
    public var headers: HTTPHeaders { request.headers }
    /// The request's content.
    public var body: RequestBody? { request.body }

    /// Returns the stored request unchanged.
    public func makeRequest() -> NetworkRequest { request }
}

extension BasicEndpoint: CustomStringConvertible {
    /// The method and the URL, without credentials.
    public var description: String { request.description }
}
