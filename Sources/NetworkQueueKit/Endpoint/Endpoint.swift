import Foundation

/// A kind of call to a web service: how to make its request, and how to interpret its response and failures.
///
/// Define one type for each kind of call. Only ``url`` is required:
///
/// ```swift
/// struct Greeting: Endpoint {
///     let url: URL
/// }
/// let data = try await queue.send(Greeting(url: url))
/// ```
///
/// Put what the calls of one service have in common into a protocol of your own that refines this one, and into its
/// extension; see <doc:Endpoints>. An endpoint is a value that describes a call. Each time it is sent, a new
/// ``RequestOperation`` runs it.
///
/// Responses and failures are each handled in two steps:
///
/// ```text
/// response ─→ parse(_:) ─→ handle(_:)       ─→ completion handler
///               │ throws
/// failure ──────┴─→ parseError(_:) ─→ handle(error:) ─→ completion handler
/// ```
///
/// ``parse(_:)`` is part of the operation: if it throws, the operation fails, and a ``NetworkQueue`` counts it as
/// failed. It may run on any thread. The other calls run on the queue's callback queue, in this order and once per
/// operation, even after a cancellation. `NetworkQueue.reset()` discards them along with all other callbacks.
public protocol Endpoint: Sendable {
    /// The type of a parsed response. Default: `Data`, the content of the response.
    associatedtype Value: Sendable = Data
    /// The type of a parsed failure. Default: ``NetworkError``.
    associatedtype Failure: Error = NetworkError

    /// The absolute `http` or `https` URL to request.
    var url: URL { get }
    /// The method. Default: `POST` with a body, otherwise `GET`.
    var method: String { get }
    /// The header fields. Default: none.
    var headers: HTTPHeaders { get }
    /// The content to send. Default: none.
    ///
    /// It may be read more than once per request. If it throws, the request fails with `.adapting`.
    var body: RequestBody? { get throws }

    /// Creates the request. Default: ``standardRequest()``, which an implementation may call and extend.
    ///
    /// Called once each time the endpoint is sent, on the thread that sends it.
    func makeRequest() -> NetworkRequest

    /// Parses an accepted response. Default if `Value` is `Data`: its content.
    ///
    /// - Throws: an error that fails the operation. ``parseError(_:)`` receives a ``NetworkError`` unchanged, and any
    ///   other error as the `underlying` error of `.processing`.
    func parse(_ response: Response) throws -> Value
    /// Handles the parsed value, before the completion handler is called. Default: does nothing.
    func handle(_ value: Value)

    /// Converts a failure. Default if `Failure` is ``NetworkError``: the error itself.
    ///
    /// `error.response` has the response, with up to 64 KiB of an error page.
    func parseError(_ error: NetworkError) -> Failure
    /// Handles the parsed error, before the completion handler is called. Default: does nothing.
    func handle(error: Failure)
}

extension Endpoint {
    /// `POST` with a body, otherwise `GET`.
    public var method: String {
        do {
            return try body == nil ? "GET" : "POST"
        } catch {
            return "POST"
        }
    }

    /// No header fields.
    public var headers: HTTPHeaders { HTTPHeaders() }

    /// No content.
    public var body: RequestBody? { nil }

    /// Returns ``standardRequest()``.
    public func makeRequest() -> NetworkRequest { standardRequest() }

    /// Returns the request that the properties describe, for implementations of ``makeRequest()`` to extend.
    public func standardRequest() -> NetworkRequest {
        var request = NetworkRequest(url, method: method, headers: headers)
        do {
            if let body = try body { request.body = body }
        } catch {
            // The request fails when it runs, so that this failure is reported like any other.
            request.adapters.append(MissingBody(userType: Self.self, error: error))
        }
        return request
    }

    /// Does nothing.
    public func handle(_ value: Value) {}

    /// Does nothing.
    public func handle(error: Failure) {}
}

/// Fails a request whose endpoint could not provide its content.
private struct MissingBody: RequestAdapter, HookWrapper {
    let userType: Any.Type
    let error: any Error

    func adapt(_ request: URLRequest, in context: AttemptContext) throws -> URLRequest { throw error }
}

extension Endpoint where Value == Data {
    /// Returns the content of the response; empty if its destination is not memory.
    public func parse(_ response: Response) -> Data { response.data ?? Data() }
}

extension Endpoint where Failure == NetworkError {
    /// Returns the error itself.
    public func parseError(_ error: NetworkError) -> NetworkError { error }
}
