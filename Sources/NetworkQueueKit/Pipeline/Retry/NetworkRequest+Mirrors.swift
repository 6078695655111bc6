import Foundation

extension NetworkRequest {
    /// Whether it may be sent to its mirrors.
    var mayUseMirrors: Bool {
        !mirrors.isEmpty && !hasBody && !isSizeProbe && ["GET", "HEAD"].contains(method)
    }

    /// The request for one of its mirrors, without what is meant for the origin of its own URL.
    func sent(to mirror: URL) -> NetworkRequest {
        var request = self
        request.url = mirror
        if !hasOrigin(of: mirror) { request.headers.removeOriginBoundFields() }
        return request
    }

    /// Whether its own URL has the scheme, host and port of another.
    func hasOrigin(of other: URL) -> Bool {
        guard let origin = Origin(url) else { return false }
        return origin == Origin(other)
    }
}

extension NetworkError {
    /// Whether the failure is about the URL that was asked and its server, so that another URL may do better.
    var isAboutServer: Bool {
        switch code {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .connectionLost, .tlsFailure, .badURL,
            .unsupportedScheme, .tooManyRedirects, .badServerResponse, .httpStatus, .contentMismatch,
            .responseTooLarge, .authenticationRequired, .unknown:
            true
        // The expected checksum itself may be malformed.
        case .validation: !(underlying is ContentMismatch)
        case .cancelled, .adapting, .malformedRequest, .processing, .fileSystem, .bodyUnavailable,
            .unsupportedConfiguration, .resourceShortage:
            false
        }
    }
}
