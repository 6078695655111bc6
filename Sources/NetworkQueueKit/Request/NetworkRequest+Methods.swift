import Foundation

/// Factory methods for requests: `queue.add(.post(url, body: try .json(value)))`.
extension NetworkRequest {
    /// Creates a GET request.
    public static func get(_ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = []) -> NetworkRequest {
        NetworkRequest(url, method: "GET", headers: headers, query: query)
    }

    /// Creates a GET request that downloads into a file.
    ///
    /// - Parameters:
    ///   - url: the URL to download.
    ///   - fileURL: the file to write, as with ``Destination/file(_:onConflict:resumes:)``.
    ///   - policy: the rule for a file that already exists. Default `.fail`.
    ///   - resumes: whether to continue an interrupted download. Default `true`.
    ///   - headers: header fields to send. Default none.
    ///   - query: items to add to the query of `url`. Default none.
    ///   - expectedChecksum: see ``NetworkRequest/expectedChecksum``. Default `nil`.
    ///   - tag: see ``NetworkRequest/tag``. Default `nil`.
    public static func download(
        _ url: URL, to fileURL: URL, onConflict policy: Destination.ConflictPolicy = .fail, resumes: Bool = true,
        headers: HTTPHeaders = [:], query: [URLQueryItem] = [], expectedChecksum: Checksum? = nil, tag: String? = nil
    ) -> NetworkRequest {
        NetworkRequest(
            url, method: "GET", headers: headers, query: query,
            destination: .file(fileURL, onConflict: policy, resumes: resumes), expectedChecksum: expectedChecksum,
            tag: tag)
    }

    /// Creates a HEAD request.
    public static func head(_ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = []) -> NetworkRequest {
        NetworkRequest(url, method: "HEAD", headers: headers, query: query)
    }

    /// Creates a GET request for the first byte, to find the size of content whose server refuses HEAD.
    ///
    /// The size is in the `Content-Range` of a 206 or a 416, or else in `Content-Length`. If the server answers with
    /// the whole content, only the head is read.
    ///
    /// Like the library's own sizing requests, it runs no hooks, is not retried unless you set its
    /// ``NetworkRequest/retryPolicy``, and only its own credential answers a challenge.
    public static func firstByte(of url: URL, headers: HTTPHeaders = [:]) -> NetworkRequest {
        var request = NetworkRequest(url, method: "GET", headers: headers)
        request.sizeProbe = .firstByte
        request.destination = .discard
        request.validation = .rangeAnswer
        request.retryPolicy = .never
        return request
    }

    /// Creates a POST request.
    public static func post(
        _ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = [], body: RequestBody? = nil
    ) -> NetworkRequest {
        NetworkRequest(url, method: "POST", headers: headers, query: query, body: body)
    }

    /// Creates a POST request; for calls that name the body before the header fields.
    public static func post(
        _ url: URL, body: RequestBody?, headers: HTTPHeaders, query: [URLQueryItem] = []
    ) -> NetworkRequest {
        .post(url, headers: headers, query: query, body: body)
    }

    /// Creates a PUT request.
    public static func put(
        _ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = [], body: RequestBody? = nil
    ) -> NetworkRequest {
        NetworkRequest(url, method: "PUT", headers: headers, query: query, body: body)
    }

    /// Creates a PUT request; for calls that name the body before the header fields.
    public static func put(
        _ url: URL, body: RequestBody?, headers: HTTPHeaders, query: [URLQueryItem] = []
    ) -> NetworkRequest {
        .put(url, headers: headers, query: query, body: body)
    }

    /// Creates a PATCH request.
    public static func patch(
        _ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = [], body: RequestBody? = nil
    ) -> NetworkRequest {
        NetworkRequest(url, method: "PATCH", headers: headers, query: query, body: body)
    }

    /// Creates a PATCH request; for calls that name the body before the header fields.
    public static func patch(
        _ url: URL, body: RequestBody?, headers: HTTPHeaders, query: [URLQueryItem] = []
    ) -> NetworkRequest {
        .patch(url, headers: headers, query: query, body: body)
    }

    /// Creates a DELETE request.
    public static func delete(_ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = []) -> NetworkRequest {
        NetworkRequest(url, method: "DELETE", headers: headers, query: query)
    }
}

extension ResponseValidation {
    /// Accepts what answers a request for the first byte. Built once, because a list asks for thousands of sizes.
    fileprivate static let rangeAnswer = statusCodes(Array(200..<300) + [416])
}
