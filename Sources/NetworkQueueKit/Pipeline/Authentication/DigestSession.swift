import Foundation

/// Answers one Digest challenge (RFC 7616, section 3.4). Each answer increments the nonce count.
struct DigestSession: Sendable {
    let challenge: DigestChallenge
    private var useCount = 0
    /// The client nonce of the first answer, which a session variant hashes into the credential.
    private var sessionNonce: String?

    init(_ challenge: DigestChallenge) {
        self.challenge = challenge
    }

    /// The value of an `Authorization` field.
    ///
    /// - Parameters:
    ///   - target: the request target as sent: path and query, or host and port for CONNECT.
    ///   - clientNonce: 16 unpredictable hexadecimal digits. A session variant keeps those of its first answer (section
    ///     3.4.2).
    mutating func authorization(
        user: String, password: String, method: String, target: String, clientNonce: String
    ) -> String {
        useCount += 1
        let count = String(format: "%08x", useCount)
        let clientNonce = challenge.algorithm.isSession ? sessionNonce ?? clientNonce : clientNonce
        sessionNonce = clientNonce
        var secret = hash("\(user):\(challenge.realm):\(password)")
        if challenge.algorithm.isSession { secret = hash("\(secret):\(challenge.nonce):\(clientNonce)") }
        let subject = hash("\(method):\(target)")
        let response =
            challenge.hasQualityOfProtection
            ? hash("\(secret):\(challenge.nonce):\(count):\(clientNonce):auth:\(subject)")
            : hash("\(secret):\(challenge.nonce):\(subject)")

        let name = challenge.hashesUser ? hash("\(user):\(challenge.realm)") : user
        var fields = [
            "username=\(quoted(name))", "realm=\(quoted(challenge.realm))", "nonce=\(quoted(challenge.nonce))",
            "uri=\(quoted(target))", "response=\"\(response)\"",
        ]
        if let name = challenge.algorithm.name { fields.append("algorithm=\(name)") }
        if let opaque = challenge.opaque { fields.append("opaque=\(quoted(opaque))") }
        if challenge.hasQualityOfProtection {
            fields += ["qop=auth", "nc=\(count)", "cnonce=\"\(clientNonce)\""]
        } else if challenge.algorithm.isSession {
            fields.append("cnonce=\"\(clientNonce)\"")
        }
        if challenge.hashesUser { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    private func hash(_ text: String) -> String { challenge.algorithm.hash.hexDigest(of: text) }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}
