/// What a request says of its size before it runs. Found out before the queue's lock is taken: it may have to ask the file system, and
/// the request is in most cases not in the processor's cache.
struct BatchExpectation {
    let uploadLength: Int64?
    let downloadLength: Int64?
    /// Whether the request has content, or may have by its method.
    let hasBody: Bool

    init(_ request: NetworkRequest) {
        let (method, hasBody) = (request.method, request.hasBody)
        uploadLength = hasBody ? request.currentBodyLength : 0
        downloadLength = method == "HEAD" ? 0 : request.expectedDownloadSize ?? request.estimatedDownloadSize
        self.hasBody = hasBody || method != "GET"
    }
}
