import Foundation

extension HTTPExchange {
    /// Creates the first exchange of a request, without its content. Throws if the request is malformed.
    init(_ request: NetworkRequest) throws(NetworkError) {
        let url = request.url
        var headers = Self.headers(of: request)
        for (name, value) in request.sizeProbe?.fields ?? [] where !headers.isSuppressed(name) {
            headers.set(value, for: name)
        }
        let wire: WireURL
        do throws(URLError) {
            wire = try Self.wireURL(of: url)
        } catch {
            throw NetworkError(error)
        }
        self.init(
            url: wire.differs
                ? URL(string: wire.text, encodingInvalidCharacters: false) ?? url.withoutUserInformation : url,
            method: request.method, headers: headers,
            idleTimeout: request.idleTimeout.map { $0 > .zero ? $0.bounded : .longest })
        checkedURL = wire.text
        if let foundation = request.foundation {
            let rules = NetworkRules(foundation)
            networkRules = rules == NetworkRules() ? nil : rules
        }
    }

    private static func headers(of request: NetworkRequest) -> HTTPHeaders {
        var headers = request.headers
        // The framing follows from the body alone; contradictory framing allows request smuggling.
        for name in ["Content-Length", "Transfer-Encoding"] { headers.removeAll(named: name) }
        if let contentType = request.body?.contentType, headers.mayGain("Content-Type") {
            headers.append(name: "Content-Type", value: contentType)
        }
        return headers
    }
}

extension NetworkRequest {
    /// The error that fails the request whatever the server answers; `nil` if none is known.
    ///
    /// It makes at most one system call; do not call it under a lock.
    var obstacle: NetworkError? {
        if let expectedChecksum, !expectedChecksum.isSound {
            return NetworkError(.validation, underlying: ContentMismatch.malformedChecksum(expectedChecksum))
        }
        if let uploadObstacle { return uploadObstacle }
        guard case .file(let url, onConflict: .fail, resumes: _) = destination, !isConditional, !usesSuggestedFileName
        else { return nil }
        // Any other fault of the name is reported when there is content for it, as with the other policies.
        guard let names = try? PartNames(url), POSIXFile.status(names.destination) != nil else { return nil }
        return .exists(names.destination)
    }

    /// Whether the server may answer 304, so that the existing file is still right.
    private var isConditional: Bool {
        !headers.isEmpty && (headers.contains("If-None-Match") || headers.contains("If-Modified-Since"))
    }
}
