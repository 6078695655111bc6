import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestBody {
    /// The body as a transport takes it, its files measured.
    fileprivate func prepare() throws -> any ExchangeBody {
        switch content {
        case .data(let data): DataBody(data: data)
        case .file(let url): FileBody(try BodyFile(url))
        case .multipart(let form): try MultipartBody(form)
        case .stream(let source): StreamBody(source: source)
        }
    }

    /// The length in bytes, as it is now; `nil` when it cannot be told.
    fileprivate var currentLength: Int64? {
        switch content {
        case .data(let data): Int64(data.count)
        case .file(let url): BodyFile.currentLength(of: url)
        case .multipart(let form): MultipartBody.currentLength(of: form)
        case .stream(let source): source.length
        }
    }
}

extension NetworkRequest {
    /// Whether there is content to send, of whatever length.
    var hasBody: Bool {
        guard let options else { return false }
        return options.value.body != nil || options.value.foundation?.httpBody != nil
            || options.value.foundation?.httpBodyStream != nil
    }

    /// The length of the content to send in bytes, as it is now; `nil` when it cannot be told.
    var currentBodyLength: Int64? {
        if let body { return body.currentLength }
        guard let foundation = options?.value.foundation else { return 0 }
        if let data = foundation.httpBody { return Int64(data.count) }
        return foundation.httpBodyStream == nil ? 0 : nil
    }

    /// The content to send, its files measured.
    func prepareBody() throws(NetworkError) -> any ExchangeBody {
        guard let body else {
            if let data = options?.value.foundation?.httpBody { return DataBody(data: data) }
            // A stream can be read once, and a retry, a redirect or a lost connection needs it again.
            throw NetworkError(.bodyUnavailable, underlying: CocoaError(.featureUnsupported))
        }
        do {
            return try body.prepare()
        } catch {
            throw NetworkError(unavailable: error)
        }
    }
}

extension NetworkError {
    /// What has kept content from being read.
    init(unavailable error: any Error) {
        self = error as? NetworkError ?? NetworkError(.bodyUnavailable, underlying: error)
    }
}
