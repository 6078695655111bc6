import Foundation

/// Tracks which URL of a request is being tried: first its own, then its mirrors.
struct MirrorTurn: Sendable {
    /// The request to the current mirror; `nil` while the request's own URL is tried.
    private(set) var request: NetworkRequest?
    /// The URL in place of the request's own, which has expired.
    var fresh: FreshTurn?
    /// The failures of the URLs tried before.
    private(set) var failures: [NetworkError] = []
    /// The URLs that were too slow.
    var speeds: [(url: URL, bytesPerSecond: Double)] = []
    /// Whether the whole content was requested again from the current URL.
    private var hasStartedOver = false

    /// The name of a part, if it does not belong to the current URL.
    var partName: String? { request == nil ? fresh?.ownPartName : nil }

    /// The next mirror to try.
    func next(of request: NetworkRequest) -> URL? {
        request.mayUseMirrors ? request.mirrors.dropFirst(failures.count).first : nil
    }

    /// Moves on to the next mirror.
    mutating func turn(to mirror: URL, of given: NetworkRequest, after failure: NetworkError) {
        request = given.sent(to: mirror)
        failures.append(failure)
        hasStartedOver = false
    }

    /// Notes that the whole content is requested again from the current URL; returns whether this is the first time.
    mutating func startOver() -> Bool {
        defer { hasStartedOver = true }
        return !hasStartedOver
    }
}

/// Tries another URL of the same content after one has failed.
extension RequestRun {
    /// The request with the URL being tried: its own, a fresh one or that of a mirror.
    var current: NetworkRequest { mirrors.request ?? mirrors.fresh?.request ?? request }

    /// The request with the URL that errors name, which is never a fresh one.
    var named: NetworkRequest { mirrors.request ?? request }

    /// The current mirror, without user information; `nil` for the request's own URL.
    var mirror: URL? { mirrors.request?.url.withoutUserInformation }

    /// Whether the current URL has another origin, so that fields for the request's own origin must not be sent.
    var isAwayFromHome: Bool {
        (mirrors.request ?? mirrors.fresh?.request).map { !request.hasOrigin(of: $0.url) } ?? false
    }

    /// The mirror to try after a failure that is not retried.
    func nextMirror(after failure: AttemptFailure) -> URL? {
        failure.error.isAboutServer && (!wasTooSlow || mayLeaveSlowURL) ? mirrors.next(of: request) : nil
    }

    /// Whether to request the whole content again from the current URL. Bytes from several servers were joined, so the
    /// mismatch says nothing about this URL.
    func startsOver(after failure: AttemptFailure) -> Bool {
        failure.error.code == .contentMismatch && attempt.target.isJudgedByChecksum && mirrors.startOver()
    }

    /// Directs all further attempts to a mirror.
    ///
    /// - Parameter failure: the completed failure of the previous URL.
    func turn(to mirror: URL, after failure: NetworkError) {
        mirrors.turn(to: mirror, of: request, after: failure)
        retries = RetryCount()
        let own = mirror.credential
        authentication = RunCredentials(
            own ?? request.credential, sendsUnasked: request.sendsCredentialUnasked,
            home: own == nil ? request.url : mirror)
        attempt.target.isMirror = true
        delegate.requestWillTurn(to: mirror)
    }

    /// The error that ends the request: that of the last URL, with those of the URLs before it.
    func closing(_ error: NetworkError) -> NetworkError {
        guard mirrors.request != nil else { return error }
        var error = error
        error.url = error.url ?? mirror
        error.formerFailures = mirrors.failures
        return error
    }
}
