import Foundation

/// Requests in one line: `queue.add(.post(url, body: try .json(value)))`.
extension NetworkRequest {
    /// A GET.
    public static func get(_ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = []) -> NetworkRequest {
        NetworkRequest(url, method: "GET", headers: headers, query: query)
    }

    /// A GET whose content goes into a file.
    ///
    /// - Parameters:
    ///   - fileURL: the file, as with ``Destination/file(_:onConflict:resumes:)``.
    ///   - policy: what happens when the file is there already. Default `.fail`.
    ///   - resumes: whether the part of an interrupted download is continued. Default `true`.
    ///   - expectedChecksum: see ``NetworkRequest/expectedChecksum``. Default `nil`.
    ///   - tag: the caller's own name for the request. Default `nil`.
    public static func download(
        _ url: URL, to fileURL: URL, onConflict policy: Destination.ConflictPolicy = .fail, resumes: Bool = true,
        headers: HTTPHeaders = [:], query: [URLQueryItem] = [], expectedChecksum: Checksum? = nil, tag: String? = nil
    ) -> NetworkRequest {
        NetworkRequest(
            url, method: "GET", headers: headers, query: query,
            destination: .file(fileURL, onConflict: policy, resumes: resumes), expectedChecksum: expectedChecksum,
            tag: tag)
    }

    /// A HEAD.
    public static func head(_ url: URL, headers: HTTPHeaders = [:], query: [URLQueryItem] = []) -> NetworkRequest {
        NetworkRequest(url, method: "HEAD", headers: headers, query: query)
    }

    /// A GET for the first byte, for the size of the content where a server refuses HEAD: `Content-Range` tells it, of
    /// a 206 and a 416, or else `Content-Length`. Of a response to all of the content only the head is read.
    ///
    /// As a question of the library's own it runs no hooks and is not sent again, and only its own credential answers a
    /// challenge.
    public static func firstByte(of url: URL, headers: HTTPHeaders = [:]) -> NetworkRequest {
        var request = NetworkRequest(url, method: "GET", headers: headers)
        request.sizeProbe = .firstByte
        request.destination = .discard
        request.validation = .statusCodes(Array(200..<300) + [416])
        return request
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
