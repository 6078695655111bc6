import Foundation

/// Which of Foundation's two implementations a session belongs to, and what has to be done differently for it.
///
/// A value, so that tests on Linux call the delegate's methods in the order in which Apple's sessions call them.
enum SessionPolicy: Sendable {
    /// Apple's, by its documentation.
    case apple
    /// swift-corelibs-foundation.
    case linux

    /// That of this system.
    static var current: SessionPolicy {
        #if canImport(FoundationNetworking)
            .linux
        #else
            .apple
        #endif
    }

    // Foundation's constants are not on every platform.
    static let serverTrust = "NSURLAuthenticationMethodServerTrust"
    private static let clientCertificate = "NSURLAuthenticationMethodClientCertificate"

    /// The answer to a challenge.
    ///
    /// Certificates are the system's to judge and to choose: without a client certificate a server that can do without
    /// one goes on. A 401 or 407 is to be the response. A rejected protection space brings it with its content on
    /// Apple; on Linux only a cancelled challenge ends the task.
    func answer(toChallenge method: String) -> URLSession.AuthChallengeDisposition {
        if method == Self.serverTrust || method == Self.clientCertificate { return .performDefaultHandling }
        return self == .apple ? .rejectProtectionSpace : .cancelAuthenticationChallenge
    }

    /// Whether a task may be both answered and cancelled. If not, a task that has been told not to follow a redirect is
    /// not cancelled, since it ends by itself; and one that has been cancelled is not answered.
    var canAnswerAndCancel: Bool { self == .apple }

    /// Whether tasks may be suspended. On Linux a task that is resumed starts over.
    var canSuspend: Bool { self == .apple }

    /// Whether the session can send a user's file without a copy, and other content as it is read.
    var sendsFilesAndStreams: Bool { self == .apple }

    /// Whether the session honors ``HTTPExchange/NetworkRules``.
    var honorsNetworkRules: Bool { self == .apple }

    /// Whether the session honors `proxy`, `minTLSVersion` and `httpVersion` `.http3` of a configuration.
    var honorsConnectionSettings: Bool { self == .apple }
}
