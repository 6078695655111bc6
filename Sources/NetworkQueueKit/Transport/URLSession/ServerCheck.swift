import Dispatch
import Foundation

#if canImport(Security)
    import Security
#endif

/// Checks a server's certificate in addition to the system.
struct ServerCheck: Sendable {
    /// Returns the server's certificates in DER, its own first, if the system accepts them. May block.
    let acceptedChain: @Sendable (URLAuthenticationChallenge) -> [Data]?
    /// Returns whether the user's code accepts them as well.
    let accepts: @Sendable (_ host: String, _ certificates: [Data]) -> Bool

    /// Answers whether the user's code refuses the server. If the system does not accept it, the system itself refuses
    /// it.
    func isRefused(_ challenge: URLAuthenticationChallenge, answer: @escaping @Sendable (Bool) -> Void) {
        // Not on the session's queue, because the system may access the network to check a certificate.
        DispatchQueue.global().async {
            guard let chain = acceptedChain(challenge) else { return answer(false) }
            answer(!accepts(challenge.protectionSpace.host, chain))
        }
    }

    #if canImport(Security)
        init(_ accepts: @escaping @Sendable (_ host: String, _ certificates: [Data]) -> Bool) {
            self.accepts = accepts
            acceptedChain = { challenge in
                guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil) else {
                    return nil
                }
                let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
                return chain.map { SecCertificateCopyData($0) as Data }
            }
        }
    #endif

    /// Creates a check with another verdict than the system's, for tests.
    init(
        acceptedChain: @escaping @Sendable (URLAuthenticationChallenge) -> [Data]?,
        accepts: @escaping @Sendable (_ host: String, _ certificates: [Data]) -> Bool
    ) {
        self.acceptedChain = acceptedChain
        self.accepts = accepts
    }
}
