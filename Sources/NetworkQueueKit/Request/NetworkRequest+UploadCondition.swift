import Foundation

extension NetworkRequest {
    /// When a PUT sends its content, if the server may have it already.
    public enum UploadCondition: String, Sendable, Hashable, Codable {
        /// Always. The default.
        case always
        /// Only if the server has nothing at the URL.
        case ifMissing
        /// Only if the server has nothing at the URL, or something else.
        case ifDifferent
    }

    /// When to send the content. Default `.always`.
    ///
    /// With another condition a HEAD is sent first, in the slot of the operation. If its response shows that the
    /// content is not needed, the operation finishes without sending it: ``Response/wasKept`` is `true`, the response has the
    /// head that showed it and no content, and the bytes count in the progress as transferred, but not as sent. Retries
    /// do not ask again.
    ///
    /// | HEAD is answered with | `.ifMissing` | `.ifDifferent` |
    /// |---|---|---|
    /// | 200 | kept | kept if the content is the same, otherwise sent |
    /// | 200 at another path, after a redirect | sent with `If-None-Match: *`: the server decides | as above |
    /// | 404 | sent with `If-None-Match: *` | sent |
    /// | anything else, such as 403, 405 or 503 | sent with `If-None-Match: *`: the server decides | sent |
    ///
    /// - `.ifMissing`: a 412 in answer to the PUT means that the server has something at the URL, and it is kept. If an
    ///   earlier attempt may have stored the content and only its answer was lost, another HEAD decides: the operation
    ///   finishes if the size is that of the content, and fails with `.httpStatus(412)` otherwise.
    /// - `.ifDifferent`: another `Content-Length` means that the content differs, and so does a missing one. Of the
    ///   same size, it differs if its digest does (`Repr-Digest`, `Content-MD5`), and is the same if that digest or a strong
    ///   entity tag equals its own. Without a digest, an entity tag that differs says nothing: then it is the same only
    ///   if `Last-Modified` is not older than the last change of the file, whether of its content or of its name and
    ///   attributes. A response with `Content-Encoding` says nothing. Only files and content in memory are hashed, on a
    ///   thread of its own.
    ///
    /// Only a PUT can have a condition; any other request fails with `.unsupportedConfiguration`.
    public var uploadCondition: UploadCondition {
        get { extras.value.uploadCondition }
        set { extras.value.uploadCondition = newValue }
    }

    /// The error of a request that cannot be sent with its condition or protocol.
    var uploadObstacle: NetworkError? {
        var reason: String?
        if uploadCondition != .always, method != "PUT" || isTus { reason = "Only a PUT has an upload condition." }
        if isTus, body?.file == nil { reason = "Only a file can be uploaded by tus." }
        return reason.map { NetworkError(.unsupportedConfiguration, underlying: UnsupportedUpload(reason: $0)) }
    }

    /// The HEAD that is sent before a conditional upload.
    var uploadQuestion: NetworkRequest {
        var question = self
        question.body = nil
        question.foundation?.httpBody = nil
        question.foundation?.httpBodyStream = nil
        question.method = "HEAD"
        for name in Self.contentFieldNames { question.headers.removeAll(named: name) }
        // With a content coding, `Content-Length` would not be the size of the content.
        if !headers.isSuppressed("Accept-Encoding") { question.headers.set("identity", for: "Accept-Encoding") }
        return question
    }

    /// The fields that are about the content of a request, or that make a response depend on it.
    static let contentFieldNames = [
        "Content-Type", "Content-Encoding", "Content-Language", "Content-Disposition", "Content-MD5", "Content-Digest",
        "Repr-Digest", "Expect", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    /// The request with the field that lets the server decide.
    var withUploadCondition: NetworkRequest {
        guard uploadCondition == .ifMissing, headers.mayGain("If-None-Match") else { return self }
        var request = self
        request.headers.append(name: "If-None-Match", value: "*")
        return request
    }
}
