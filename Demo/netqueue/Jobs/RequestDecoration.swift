import Foundation
import NetworkQueueKit

/// The settings that each request of a run gets from the options: a login and the idle timeout.
struct RequestDecoration: Hashable, Sendable {
    private var login: Login?
    /// The netrc, also for mirrors and for hosts to which redirects lead.
    let netrc: Netrc?
    /// Whether there are credentials for the proxy.
    private(set) var hasProxyLogin = false
    private var timeout: Double?

    init(netrc: Netrc) { self.netrc = netrc }

    /// Reads the netrc, and asks for a missing password.
    init(_ options: Options) throws(UsageError) {
        let environment = ProcessInfo.processInfo.environment
        login = try options.login?.completed()
        netrc = options.usesNetrc ? try Netrc(environment: environment) : nil
        timeout = options.timeout
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        hasProxyLogin =
            options.proxy.map { $0.user != nil }
            ?? variables.contains { environment[$0]?.contains(byte: "@") == true }
    }

    func decorate(_ request: inout NetworkRequest) {
        if let timeout { request.idleTimeout = .seconds(timeout) }
        guard let login = login ?? netrc?.login(for: request.url) else { return }
        request.credential = login.credential
        // A server that offers Digest must not get the password in the clear.
        request.sendsCredentialUnasked = false
    }
}
