import Foundation

/// Tracks which URL of a request is being tried: first its own, then its mirrors.
struct MirrorTurn: Sendable {
    /// One of a request's URLs.
    enum Address: Hashable {
        /// The request's own URL, or the fresh one in its place.
        case own
        case mirror(URL)
    }

    /// The request to the current mirror; `nil` while the request's own URL is tried.
    private(set) var request: NetworkRequest?
    /// The URL in place of the request's own, which has expired.
    var fresh: FreshTurn?
    /// The failures of the URLs tried before.
    private(set) var failures: [NetworkError] = []
    /// The URLs that were too slow.
    private var speeds: [(address: Address, bytesPerSecond: Double)] = []
    /// Whether every URL has been tried, so that the current one has no successor.
    private(set) var isLast = false
    /// Whether the whole content was requested again from the current URL.
    private var hasStartedOver = false

    /// The name of a part, if it does not belong to the current URL.
    var partName: String? { request == nil ? fresh?.ownPartName : nil }

    /// The next URL to try: the next mirror, or after the last one the fastest of those that were too slow.
    func next(of given: NetworkRequest) -> Address? {
        guard given.mayUseMirrors, !isLast else { return nil }
        if let mirror = given.mirrors.dropFirst(failures.count).first { return .mirror(mirror) }
        return speeds.max { $0.bytesPerSecond < $1.bytesPerSecond }?.address
    }

    /// Moves on to the next URL.
    mutating func turn(to address: Address, of given: NetworkRequest, after failure: NetworkError) {
        if case .mirror(let mirror) = address { request = given.sent(to: mirror) } else { request = nil }
        isLast = failures.count >= given.mirrors.count
        failures.append(failure)
        hasStartedOver = false
    }

    /// Notes that the current URL was too slow.
    mutating func noteSlowness(_ bytesPerSecond: Double) {
        speeds.append((request.map { .mirror($0.url) } ?? .own, bytesPerSecond))
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

    /// The URL to try after a failure that is not retried.
    func nextAddress(after failure: AttemptFailure) -> MirrorTurn.Address? {
        failure.error.isAboutServer && (!wasTooSlow || mayLeaveSlowURL) ? mirrors.next(of: request) : nil
    }

    /// Whether to request the whole content again from the current URL. Bytes from several servers were joined, so the
    /// mismatch says nothing about this URL.
    func startsOver(after failure: AttemptFailure) -> Bool {
        failure.error.code == .contentMismatch && attempt.target.isJudgedByChecksum && mirrors.startOver()
    }

    /// Directs all further attempts to another URL. The last one has no minimum speed.
    ///
    /// - Parameter failure: the completed failure of the previous URL.
    func turn(to address: MirrorTurn.Address, after failure: NetworkError) {
        mirrors.turn(to: address, of: request, after: failure)
        if mirrors.isLast { speedWatch?.lift() }
        retries = RetryCount()
        takeCredentials(for: current.url)
        attempt.target.isMirror = mirrors.request != nil
        delegate.requestWillTurn(to: mirrors.request?.url)
    }

    /// Takes the credentials for another URL of the request: its own ones, if it has some.
    func takeCredentials(for url: URL) {
        let own = url.credential
        authentication = RunCredentials(
            own ?? request.credential, sendsUnasked: request.sendsCredentialUnasked,
            home: own == nil ? request.url : url)
    }

    /// The error that ends the request: that of the last URL, with those of the URLs before it.
    func closing(_ error: NetworkError) -> NetworkError {
        guard !mirrors.failures.isEmpty else { return error }
        var error = error
        error.url = error.url ?? mirror
        error.formerFailures = mirrors.failures
        return error
    }
}
