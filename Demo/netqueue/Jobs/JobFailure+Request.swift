import Foundation
import NetworkQueueKit

extension JobFailure {
    /// Refines the reason of an error that depends on the request's options, such as refused credentials.
    ///
    /// - Parameters:
    ///   - sendsField: Whether all requests have an `Authorization` field from the user.
    ///   - hasProxyLogin: Whether there are credentials for the proxy.
    ///   - isWithheld: Whether the user's login or fields were kept from the server, which a list has named.
    mutating func explain(
        _ error: NetworkError, for request: NetworkRequest, netrc: Netrc? = nil, sendsField: Bool = false,
        hasProxyLogin: Bool = false, isWithheld: Bool = false
    ) {
        if code == .exists, request.expectedChecksum != nil {
            (reason, kind, code) = ("already exists with another checksum", nil, .checksum)
        }
        guard let head = error.response?.head, error.code == .httpStatus(head.statusCode) else { return }
        switch head.statusCode {
        case 401 where isWithheld: addRemark(Self.withheld)
        case 401: addRemark(Self.remark(on: head, for: request, netrc: netrc, sendsField: sendsField))
        case 407:
            addRemark(
                hasProxyLogin
                    ? "the proxy rejected the user name or password"
                    : "put user and password into the proxy’s URL, as in http://USER:PASSWORD@HOST:PORT")
        default: break
        }
    }

    private mutating func addRemark(_ remark: String) {
        kind = reason
        reason += "; " + remark
    }

    private static let refused = "the user name or password was rejected"
    private static let withheld = "-u and -H are for the list’s own server; --trust-list sends them to others, too"
    private static let missing = "use -u or --netrc to give a user and a password"

    /// Explains what happened to the user's credentials after a 401.
    private static func remark(
        on head: ResponseHead, for request: NetworkRequest, netrc: Netrc?, sendsField: Bool
    ) -> String {
        let (asked, own) = (head.url.address ?? "", request.url.address ?? "")
        let hasLogin = request.credential != nil || request.url.user != nil
        let hasField = sendsField || request.headers.contains("Authorization")
        guard Origin(head.url) == Origin(request.url) else {
            if netrc?.login(for: head.url.host() ?? "") != nil { return refused }
            if netrc != nil { return "the netrc file has no login for \(asked)" }
            return hasLogin || hasField
                ? "the login is for \(own) and was not sent to \(asked)" : missing
        }
        if hasField { return "the “Authorization” header field was rejected" }
        guard hasLogin else {
            return netrc == nil ? missing : "the netrc file has no login for \(asked)"
        }
        let demands = head.headers.values(for: "WWW-Authenticate").joined(separator: " ").lowercased()
        let isKnown = demands.contains("basic") || demands.contains("digest") || request.sendsCredentialUnasked
        return isKnown ? refused : "the server accepts neither Basic nor Digest"
    }
}
