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
        case .notYetValid: "The certificate is not valid yet, or the clock of this machine is wrong."
        case .wrongHost: "The certificate is for another host."
        case .unknownAuthority:
            "The certificate comes from an unknown authority, or the certificates that lead to a known one are missing."
        case .selfSigned: "The certificate is self-signed."
        case .revoked: "The certificate has been revoked."
        case .weak: "The certificate’s key or signature is too weak."
        case .publicKeyNotPinned: "The server’s public key is not one of the pinned ones."
        case .noCommonVersion: "There is no version of TLS that both sides allow."
        case .notTLS: "What answers on this port does not speak TLS."
        case .refused(hasClientCertificate: false):
            "The server refuses the handshake: it requires a client certificate, or there is no cipher that both sides allow."
        case .refused(hasClientCertificate: true):
            "The server refuses the handshake: it does not accept the client certificate, or there is no cipher that both "
                + "sides allow."
        case .clientCertificateRequired: "The server requires a client certificate."
        case .clientCertificateRefused(let reason):
            "The server does not accept the client certificate" + (reason.map { ": \($0)." } ?? ".")
        case .clientCertificateUnusable(let sentence): sentence
        case .trustedCertificatesUnusable(let path):
            "The certificates to trust" + (path.map { " (“\($0)”)" } ?? "")
                + " cannot be read, or contain no PEM certificate."
        }
    }
}
