import Foundation
import NetworkQueueKit

/// The settings that each request of a run gets from the options: a login, the idle timeout, and header fields that are
/// not for every server.
struct RequestDecoration: Sendable {
    private var login: Login?
    /// The netrc, also for mirrors and for hosts to which redirects lead.
    let netrc: Netrc?
    /// Whether there are credentials for the proxy.
    private(set) var hasProxyLogin = false
    private var timeout: Double?
    /// The servers that get the login and ``headers``; `nil` if all get the login, and the queue adds the fields.
    private var trusted: TrustedOrigins?
    private var headers: [HeaderLine] = []

    init(netrc: Netrc) { self.netrc = netrc }

    /// Reads the netrc, and asks for a missing password.
    init(_ options: Options, trusted: TrustedOrigins? = nil) throws(UsageError) {
        self.trusted = trusted
        if trusted != nil { headers = options.headers }
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
        let isTrusted = trusted?.contains(request.url) ?? true
        if isTrusted {
            let own = request.headers
            for header in headers where own.mayGain(header.name) {
                header.add(to: &request.headers)
            }
        }
        guard let login = (isTrusted ? login : nil) ?? netrc?.login(for: request.url) else { return }
        request.credential = login.credential
        // A server that offers Digest must not get the password in the clear.
        request.sendsCredentialUnasked = false
    }

    /// Whether the login or a header field of the user is kept from the server of a URL.
    func withholds(from url: URL) -> Bool {
        guard let trusted, login != nil || !headers.isEmpty else { return false }
        return !trusted.contains(url)
    }
}
