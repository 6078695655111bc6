import Foundation

/// Foundation's two implementations of `URLSession`, and how the library treats each.
///
/// It is a value so that tests on Linux can call the delegate's methods in the order of Apple's sessions.
enum SessionPolicy: Sendable {
    /// Apple's implementation, according to its documentation.
    case apple
    /// The implementation in swift-corelibs-foundation.
    case linux

    /// The implementation on this system.
    static var current: SessionPolicy {
        #if canImport(FoundationNetworking)
            .linux
        #else
            .apple
        #endif
    }

    // Foundation does not declare these constants on every platform.
    static let serverTrust = "NSURLAuthenticationMethodServerTrust"
    private static let clientCertificate = "NSURLAuthenticationMethodClientCertificate"

    /// The answer to a challenge.
    ///
    /// The system judges a server's certificate and chooses a client certificate. Without a client certificate the
    /// exchange continues if the server does not require one.
    ///
    /// A 401 or 407 must become the response. On Apple platforms a rejected protection space delivers it with its
    /// content; on Linux only a canceled challenge ends the task.
    func answer(toChallenge method: String) -> URLSession.AuthChallengeDisposition {
        if method == Self.serverTrust || method == Self.clientCertificate { return .performDefaultHandling }
        return self == .apple ? .rejectProtectionSpace : .cancelAuthenticationChallenge
    }

    /// Whether a task may be both answered and canceled. If not, a task that was told not to follow a redirect is not
    /// canceled, because it ends by itself, and a canceled task is not answered.
    var canAnswerAndCancel: Bool { self == .apple }

    /// Whether tasks may be suspended. On Linux a resumed task starts over.
    var canSuspend: Bool { self == .apple }

    /// Whether the session can send a user's file without a copy, and other content while it is read.
    var sendsFilesAndStreams: Bool { self == .apple }

    /// Whether the session honors ``HTTPExchange/NetworkRules``.
    var honorsNetworkRules: Bool { self == .apple }

    /// Whether the session honors a configuration's `proxy`, `minTLSVersion` and `.http3`.
    var honorsConnectionSettings: Bool { self == .apple }
}
