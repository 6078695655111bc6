import Foundation

/// Requests in one line: `queue.add(.post(url, body: try .json(value)))`.
extension NetworkRequest {
    /// A GET.
    public static func get(_ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = []) -> NetworkRequest {
        NetworkRequest(url, method: "GET", headers: headers, query: query)
    }

    /// A HEAD.
    public static func head(_ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = []) -> NetworkRequest {
        NetworkRequest(url, method: "HEAD", headers: headers, query: query)
    }

    /// A POST.
    public static func post(
        _ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = [], body: RequestBody? = nil
    ) -> NetworkRequest {
        NetworkRequest(url, method: "POST", headers: headers, query: query, body: body)
    }

    /// A POST, with the content before the header fields.
    public static func post(
        _ url: URL, body: RequestBody?, headers: HTTPHeaders, query: [URLQueryItem] = []
    ) -> NetworkRequest {
        .post(url, headers: headers, query: query, body: body)
    }

    /// A PUT.
    public static func put(
        _ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = [], body: RequestBody? = nil
    ) -> NetworkRequest {
        NetworkRequest(url, method: "PUT", headers: headers, query: query, body: body)
    }

    /// A PUT, with the content before the header fields.
    public static func put(
        _ url: URL, body: RequestBody?, headers: HTTPHeaders, query: [URLQueryItem] = []
    ) -> NetworkRequest {
        .put(url, headers: headers, query: query, body: body)
    }

    /// A PATCH.
    public static func patch(
        _ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = [], body: RequestBody? = nil
    ) -> NetworkRequest {
        NetworkRequest(url, method: "PATCH", headers: headers, query: query, body: body)
    }

    /// A PATCH, with the content before the header fields.
    public static func patch(
        _ url: URL, body: RequestBody?, headers: HTTPHeaders, query: [URLQueryItem] = []
    ) -> NetworkRequest {
        .patch(url, headers: headers, query: query, body: body)
    }

    /// A DELETE.
    public static func delete(_ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = []) -> NetworkRequest {
        NetworkRequest(url, method: "DELETE", headers: headers, query: query)
    }
}
