import Foundation

/// The reason why there is no secure connection, as far as it is known.
enum TLSFault: Hashable {
    case expired
    case notYetValid
    case wrongHost
    case unknownAuthority
    case selfSigned
    case revoked
    /// The certificate's key is too short, or its signature is of a kind that can be forged.
    case weak
    /// The server's key is not one of the pinned keys.
    case publicKeyNotPinned
    /// The two sides allow no common version of TLS.
    case noCommonVersion
    /// The peer does not speak TLS, but in most cases HTTP.
    case notTLS
    /// The server refuses without a useful reason.
    case refused(hasClientCertificate: Bool)
    case clientCertificateRequired
    /// The server does not accept the client's certificate, for the given reason.
    case clientCertificateRefused(because: String?)
    /// The client's own certificate or key is unusable, for the reason in the sentence.
    case clientCertificateUnusable(String)
    /// The file of trusted certificates is missing or unusable.
    case trustedCertificatesUnusable(path: String?)

    /// The closest code in Foundation.
    var code: URLError.Code {
        switch self {
        case .expired: .serverCertificateHasBadDate
        case .notYetValid: .serverCertificateNotYetValid
        case .wrongHost, .revoked, .weak, .publicKeyNotPinned: .serverCertificateUntrusted
        case .unknownAuthority, .selfSigned: .serverCertificateHasUnknownRoot
        case .noCommonVersion, .notTLS, .refused, .trustedCertificatesUnusable: .secureConnectionFailed
        case .clientCertificateRequired: .clientCertificateRequired
        case .clientCertificateRefused, .clientCertificateUnusable: .clientCertificateRejected
        }
    }

    /// A description of the fault for people.
    var sentence: String {
        switch self {
        case .expired: "The certificate has expired."
        case .notYetValid: "The certificate is not yet valid, or this machine’s clock is wrong."
        case .wrongHost: "The certificate is for another host."
        case .unknownAuthority:
            "The certificate was issued by an unknown authority, or an intermediate certificate is missing."
        case .selfSigned: "The certificate is self-signed."
        case .revoked: "The certificate has been revoked."
        case .weak: "The certificate’s key or signature is too weak."
        case .publicKeyNotPinned: "The server’s public key matches none of the pinned keys."
        case .noCommonVersion: "Client and server have no TLS version in common."
        case .notTLS: "The server does not speak TLS on this port."
        case .refused(hasClientCertificate: false):
            "The server rejected the handshake: it requires a client certificate, or both sides have no cipher in common."
        case .refused(hasClientCertificate: true):
            "The server rejected the handshake: it does not accept the client certificate, or both sides have no cipher in "
                + "common."
        case .clientCertificateRequired: "The server requires a client certificate."
        case .clientCertificateRefused(let reason):
            "The server rejected the client certificate" + (reason.map { ": \($0)." } ?? ".")
        case .clientCertificateUnusable(let sentence): sentence
        case .trustedCertificatesUnusable(let path):
            "The trusted certificates" + (path.map { " (“\($0)”)" } ?? "")
                + " cannot be read, or contain no PEM certificate."
        }
    }
}
