import Foundation

extension NetworkRequest {
    /// Whether the request may be sent to its mirrors.
    var mayUseMirrors: Bool {
        !mirrors.isEmpty && !hasBody && !isSizeProbe && ["GET", "HEAD"].contains(method)
    }

    /// The request for one of its mirrors, without the fields that are meant for its own origin.
    func sent(to mirror: URL) -> NetworkRequest {
        var request = self
        request.url = mirror
        if !hasOrigin(of: mirror) { request.headers.removeOriginBoundFields() }
        return request
    }

    /// Whether the request's own URL has the same scheme, host and port as another URL.
    func hasOrigin(of other: URL) -> Bool {
        guard let origin = Origin(url) else { return false }
        return origin == Origin(other)
    }
}

extension NetworkError {
    /// Whether the failure concerns the URL or its server, so that a mirror may succeed.
    var isAboutServer: Bool {
        switch code {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .connectionLost, .tlsFailure, .badURL,
            .unsupportedScheme, .tooManyRedirects, .badServerResponse, .httpStatus, .contentMismatch,
            .responseTooLarge, .authenticationRequired, .unknown:
            true
        // A malformed expected checksum fails with every URL.
        case .validation: (underlying as? ContentMismatch)?.isUnsent != true
        case .cancelled, .adapting, .malformedRequest, .processing, .fileSystem, .bodyUnavailable,
            .unsupportedConfiguration, .resourceShortage, .insufficientSpace,
            .earlierStageFailed:
            false
        }
    }
}
