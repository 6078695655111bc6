import Foundation

/// How far a run has come with the URLs of its request: first its own, then its mirrors.
struct MirrorTurn: Sendable {
    /// What is sent in place of the request; `nil` while its own URL is tried.
    private(set) var request: NetworkRequest?
    /// How the URLs before have failed.
    private(set) var failures: [NetworkError] = []
    /// Whether the URL that is tried is asked for the whole content once more.
    private var hasStartedOver = false

    /// The mirror that comes next.
    func next(of request: NetworkRequest) -> URL? {
        request.mayUseMirrors ? request.mirrors.dropFirst(failures.count).first : nil
    }

    /// Goes on to the next mirror.
    mutating func turn(to mirror: URL, of given: NetworkRequest, after failure: NetworkError) {
        request = given.sent(to: mirror)
        failures.append(failure)
        hasStartedOver = false
    }

    /// Notes that the same URL is to be asked for the whole content; returns whether that is the first time.
    mutating func startOver() -> Bool {
        defer { hasStartedOver = true }
        return !hasStartedOver
    }
}

/// Another URL of the same content, when one has failed.
extension RequestRun {
    /// The request with the URL that is tried: its own, or that of a mirror.
    var current: NetworkRequest { mirrors.request ?? request }

    /// The mirror that is tried, without user information; `nil` for the request's own URL.
    var mirror: URL? { mirrors.request?.url.withoutUserInformation }

    /// Whether what is meant for the request's own origin must not be sent.
    var isAwayFromHome: Bool { mirrors.request.map { !request.hasOrigin(of: $0.url) } ?? false }

    /// The mirror to try after a failure that no retry follows.
    func nextMirror(after failure: AttemptFailure) -> URL? {
        failure.error.isAboutServer ? mirrors.next(of: request) : nil
    }

    /// Whether the URL is to be asked for the whole content after a failure that says nothing about it, since content of
    /// several servers was put together.
    func startsOver(after failure: AttemptFailure) -> Bool {
        failure.error.code == .contentMismatch && attempt.target.isJudgedByChecksum && mirrors.startOver()
    }

    /// Has the attempts from now on go to a mirror.
    ///
    /// - Parameter failure: that of the URL before, complete.
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

    /// The error that the request ends with: that of the last URL, with those of the others.
    func closing(_ error: NetworkError) -> NetworkError {
        guard mirrors.request != nil else { return error }
        var error = error
        error.url = error.url ?? mirror
        error.formerFailures = mirrors.failures
        return error
    }
}
