import Foundation

/// One kind of call to a web service: how its request is made, and what its response and its failures mean.
///
/// Write one type for each kind of call. Only ``url`` is required:
///
///     struct Greeting: Endpoint {
///         let url: URL
///     }
///     let data = try await queue.send(Greeting(url: url))
///
/// What the calls of one service have in common belongs in a protocol of your own that refines this one, and in its
/// extension; see <doc:Endpoints>. An endpoint is a value that says what to do. Each time it is sent, a
/// ``RequestOperation`` of its own runs it.
///
/// A response takes two steps, and so does a failure:
///
///     response ─→ parse(_:) ─→ handle(_:)       ─→ completion handler
///                   │ throws
///     failure ──────┴─→ parseError(_:) ─→ handle(error:) ─→ completion handler
///
/// ``parse(_:)`` is part of the operation: what it throws fails the operation, and a ``NetworkQueue`` counts it as
/// failed. It runs on no particular thread. All that follows runs on the callback queue of the queue, in this order and
/// once for each operation, also after a cancellation. `NetworkQueue.reset()` throws these calls away with all others.
public protocol Endpoint: Sendable {
    /// What a response means. Default `Data`, the content of the response.
    associatedtype Value: Sendable = Data
    /// What a failure means. Default ``NetworkError``.
    associatedtype Failure: Error = NetworkError

    /// What is asked for: an absolute `http` or `https` URL.
    var url: URL { get }
    /// The method. Default: `POST` where there is a body, else `GET`.
    var method: String { get }
    /// The header fields. Default none.
    var headers: HTTPHeaders { get }
    /// The content to send. Default `nil`.
    ///
    /// It may be asked for more than once for a request. What it throws fails the request with `.adapting`, as any
    /// other failure.
    var body: RequestBody? { get throws }

    /// Returns the request. Default: ``standardRequest()``, which an implementation may call and add to.
    ///
    /// Called once each time that the endpoint is sent, on the thread that sends it.
    func makeRequest() -> NetworkRequest

    /// Returns what an accepted response means. Default: its content, where `Value` is `Data`.
    ///
    /// - Throws: what makes the response a failure. It reaches ``parseError(_:)`` as the error beneath a `.processing`;
    ///   a ``NetworkError`` reaches it as such.
    func parse(_ response: Response) throws -> Value
    /// Takes the parsed value, before the completion handler does. Default: nothing.
    func handle(_ value: Value)

    /// Returns what a failure means. Default: the error itself, where `Failure` is ``NetworkError``.
    ///
    /// The error has the response, with up to 64 KiB of an error page.
    func parseError(_ error: NetworkError) -> Failure
    /// Takes the parsed error, before the completion handler does. Default: nothing.
    func handle(error: Failure)
}

extension Endpoint {
    /// `POST` where there is a body, else `GET`.
    public var method: String {
        do {
            return try body == nil ? "GET" : "POST"
        } catch {
            return "POST"
        }
    }

    /// None.
    public var headers: HTTPHeaders { HTTPHeaders() }

    /// None.
    public var body: RequestBody? { nil }

    /// The request that the properties describe.
    public func makeRequest() -> NetworkRequest { standardRequest() }

    /// The request that the properties describe, for implementations of ``makeRequest()`` that add to it.
    public func standardRequest() -> NetworkRequest {
        var request = NetworkRequest(url, method: method, headers: headers)
        do {
            if let body = try body { request.body = body }
        } catch {
            // The request fails when it is run, so that this failure is reported like every other.
            request.adapters.append(MissingBody(userType: Self.self, error: error))
        }
        return request
    }

    /// Does nothing.
    public func handle(_ value: Value) {}

    /// Does nothing.
    public func handle(error: Failure) {}
}

/// Takes the place of content that an endpoint could not make.
private struct MissingBody: RequestAdapter, HookWrapper {
    let userType: Any.Type
    let error: any Error

    func adapt(_ request: URLRequest, in context: AttemptContext) throws -> URLRequest { throw error }
}

extension Endpoint where Value == Data {
    /// The content of the response; empty where it went elsewhere than to memory.
    public func parse(_ response: Response) -> Data { response.data ?? Data() }
}

extension Endpoint where Failure == NetworkError {
    /// The error itself.
    public func parseError(_ error: NetworkError) -> NetworkError { error }
}
