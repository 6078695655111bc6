import Foundation

extension NetworkRequest {
    /// The way in which a file is sent.
    public enum UploadProtocol: String, Sendable, Hashable, Codable {
        /// One request with the whole file. The default.
        case put
        /// tus 1.0.0 (https://tus.io): an upload that was interrupted continues where the server has got to.
        case tus
    }

    /// How the content is sent. Default `.put`: in one request, whatever its method.
    ///
    /// Set by ``upload(_:to:protocol:headers:tag:)``.
    public internal(set) var uploadProtocol: UploadProtocol {
        get { extras.value.uploadProtocol }
        set { extras.value.uploadProtocol = newValue }
    }

    /// Creates a request that uploads a file.
    ///
    /// With `.put` it is a PUT of the whole file.
    ///
    /// With `.tus`, `url` is the endpoint at which uploads are created. The file is sent in pieces of 8 MiB. After a
    /// failure, a pause, a cancellation or the end of the process, an upload of the same file to the same endpoint
    /// continues where the server has got to, which costs one piece at most; the queue remembers the upload's URL in
    /// its ``RequestQueueing/stateFolder``. A file with another size or modification time is another file. <doc:Uploads>
    /// lists what the server's answers mean.
    ///
    /// - Each exchange gets the header fields of the request, the adapters and the authenticator. `Upload-Metadata` has
    ///   the name of the file and its type unless `headers` have a field of that name.
    /// - Retries do not depend on the method: to send a piece again does no harm.
    /// - ``Response/head`` is that of the last answer. Its `url` is the URL of the upload, which may be all that is
    ///   needed to read or change it: treat it as a secret. Logs, errors and records do not have it.
    ///
    /// - Parameters:
    ///   - file: the file to upload.
    ///   - url: where the file goes, or the endpoint of a tus server.
    ///   - uploadProtocol: how to send it. Default `.put`.
    ///   - headers: header fields to send. Default none.
    ///   - tag: see ``tag``. Default `nil`.
    public static func upload(
        _ file: URL, to url: URL, protocol uploadProtocol: UploadProtocol = .put, headers: HTTPHeaders = [:],
        tag: String? = nil
    ) -> NetworkRequest {
        var request = NetworkRequest(
            url, method: uploadProtocol == .put ? "PUT" : "POST", headers: headers, body: .file(file), tag: tag)
        if uploadProtocol != .put { request.uploadProtocol = uploadProtocol }
        return request
    }

    var isTus: Bool { uploadProtocol == .tus }

    /// The method that says whether a failed attempt may be repeated.
    var repeatedMethod: String { isTus ? "PUT" : method }
}
