import Foundation

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
