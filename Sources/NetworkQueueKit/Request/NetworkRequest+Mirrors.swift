import Foundation

extension NetworkRequest {
    /// Other URLs of the same content, which are tried in this order. Default none.
    ///
    /// When a URL has failed for good, or after its retries, the next one is tried at once, within the same operation: it
    /// gives its slot back as for a retry, and counts for the host of that URL from then on. Each URL has retries of its
    /// own. What moves on is a failure that is about the server: no connection, TLS, a timeout, a status or a content
    /// that is not accepted, a redirect too many. What the caller's side has caused does not: a cancellation,
    /// ``totalTimeout``, which counts for all URLs together, a file that cannot be written, a hook that throws
    /// `.adapting` or `.processing`, and ``RetryDecision/fail``. Nor does a failure of a ``DownloadSink`` that has begun
    /// and cannot start over.
    ///
    /// Used for GET and HEAD without content; other requests may have had an effect, and fail.
    ///
    /// What there is of a file goes on at another URL only with an ``expectedChecksum``, which then decides alone, since
    /// entity tags of different servers cannot be compared: a content that does not have it is fetched once more from the
    /// beginning. Without one the file starts over.
    ///
    /// `Authorization`, `Cookie`, `Proxy-Authorization` and `Host` among the ``headers``, the queue's included, go to a
    /// mirror only if it has the scheme, host and port of ``url``; so do the ``credential`` and what a
    /// ``RequestAuthenticator`` adds. User and password in the URL of a mirror are for that mirror. Adapters are asked for
    /// each attempt, and see the mirror's URL.
    ///
    /// ``RequestOperation/mirror`` tells which one is tried, and ``ResponseHead/url`` of the response which URL has served
    /// it. If all have failed, the error is that of the last, with the others in ``NetworkError/formerFailures``. Sizes
    /// are asked for at ``url`` alone.
    public var mirrors: [URL] {
        get { hiddenMirrors.value }
        set { hiddenMirrors.value = newValue }
    }

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
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .connectionLost, .tlsFailure, .badURL, .unsupportedScheme,
            .tooManyRedirects, .badServerResponse, .httpStatus, .contentMismatch, .responseTooLarge,
            .authenticationRequired, .unknown:
            true
        // The expected checksum itself may be malformed.
        case .validation: !(underlying is ContentMismatch)
        case .cancelled, .adapting, .malformedRequest, .processing, .fileSystem, .bodyUnavailable,
            .unsupportedConfiguration, .resourceShortage:
            false
        }
    }
}
