import Foundation

extension RequestBody {
    /// Measures the files and returns the body that a transport sends.
    fileprivate func prepare() throws -> any ExchangeBody {
        switch content {
        case .data(let data): DataBody(data: data)
        case .file(let url): FileBody(try BodyFile(url))
        case .multipart(let form): try MultipartBody(form)
        case .stream(let source): StreamBody(source: source)
        }
    }

    /// The current length in bytes; `nil` if it cannot be determined.
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
    /// The current length of the content in bytes; `nil` if it cannot be determined.
    package var currentBodyLength: Int64? {
        if let body { return body.currentLength }
        guard let foundation = foundation else { return 0 }
        if let data = foundation.httpBody { return Int64(data.count) }
        return foundation.httpBodyStream == nil ? 0 : nil
    }

    /// Measures the files and returns the content to send.
    func prepareBody() throws(NetworkError) -> any ExchangeBody {
        guard let body else {
            if let data = foundation?.httpBody { return DataBody(data: data) }
            // A stream can be read only once, but a retry, a redirect or a lost connection needs it again.
            let text = "An httpBodyStream can be read only once; provide the content as data or as a file."
            throw NetworkError(
                .bodyUnavailable,
                underlying: CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: text]))
        }
        do {
            return try body.prepare()
        } catch {
            throw NetworkError(unavailable: error)
        }
    }
}

extension NetworkError {
    /// The error for a failure to read content.
    init(unavailable error: any Error) {
        self = error as? NetworkError ?? NetworkError(.bodyUnavailable, underlying: error)
    }
}

/// A body that holds a resource, such as an open file, while it is read.
protocol PreparedBody: ExchangeBody {
    /// Releases the resource; the next read acquires it again. Can be called from any thread.
    func close()
}

/// Content in memory.
struct DataBody: ExchangeBody {
    private let content: Secret<Data>

    init(data: Data) {
        content = Secret(data)
    }

    var length: Int64 { Int64(content.value.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let data = content.value
        let start = data.startIndex + Int(clamping: offset)
        guard start < data.endIndex else { return 0 }
        return data[start...].copyBytes(to: buffer)
    }
}

/// Content that the user's code provides, checked against its declared length.
struct StreamBody: ExchangeBody {
    let source: StreamSource

    var length: Int64 { source.length }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = min(Int64(buffer.count), source.length - offset)
        guard count > 0 else { return 0 }
        let bytes: Data
        do {
            bytes = try source.read(offset, Int(count))
        } catch {
            throw NetworkError(unavailable: error).thrown(byHookNamed: "RequestBody.stream")
        }
        // The server would wait for missing bytes, and would take surplus bytes for the next request.
        guard !bytes.isEmpty, bytes.count <= count else {
            let text = "The stream brought \(bytes.count) bytes, expected 1 to \(count)."
            throw POSIXError(.EIO, userInfo: [NSLocalizedDescriptionKey: text])
        }
        return bytes.copyBytes(to: buffer)
    }
}
