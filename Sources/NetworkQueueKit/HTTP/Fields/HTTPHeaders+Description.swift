/// Descriptions hide the values of fields that may carry credentials.
///
/// These fields are, regardless of case:
/// - `Authorization`, `Proxy-Authorization`, `Authentication-Info`, `Proxy-Authentication-Info` (RFC 9110, section 11),
///   `Cookie`, `Set-Cookie` (RFC 6265) and their obsolete second versions;
/// - every field whose name contains one of these words, delimited by hyphens, underscores or the ends: `auth`,
///   `authorization`, `cookie`, `token`, `jwt`, `secret`, `password`, `passwd`, `credential`, `credentials`, `apikey`,
///   `signature`, `session`; or the words `api key`, `access key`, `auth key`, `private key`, `subscription key`,
///   `functions key`, such as `X-Api-Key`.
///
/// Challenges (`WWW-Authenticate`, `Proxy-Authenticate`) are shown, since a nonce is not secret. In all other values,
/// URLs are shown without user name and password.
extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields, one per line, without values that may be credentials.
    public var description: String {
        map(\.description).joined(separator: "\n")
    }

    /// The fields on one line in brackets, without values that may be credentials.
    public var debugDescription: String {
        "[" + map(\.description).joined(separator: ", ") + "]"
    }

    /// The fields, without values that may be credentials.
    public var customMirror: Mirror {
        Mirror(self, children: map { ($0.name, $0.printableValue as Any) }, displayStyle: .dictionary)
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    private static let secretNames: Set<String> = [
        "authorization", "proxy-authorization", "authentication-info", "proxy-authentication-info", "cookie", "cookie2",
        "set-cookie", "set-cookie2",
    ]
    private static let secretWords: Set<String> = [
        "auth", "authorization", "cookie", "token", "jwt", "secret", "password", "passwd", "credential", "credentials",
        "apikey", "signature", "session",
    ]
    /// The words that, directly before `key`, make a name secret.
    private static let keyWords: Set<String> = ["api", "access", "auth", "private", "subscription", "functions"]

    /// Whether the value may be a credential.
    private var isSecret: Bool {
        let name = name.utf8.asciiLowercased
        if Self.secretNames.contains(String(decoding: name, as: UTF8.self)) { return true }
        let words = name.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
            .map { String(decoding: $0, as: UTF8.self) }
        return words.contains(where: Self.secretWords.contains)
            || zip(words, words.dropFirst()).contains { Self.keyWords.contains($0) && $1 == "key" }
    }

    var printableValue: String { isSecret ? "<hidden>" : value.withoutUserInformationInURLs }

    /// The field line, without a value that may be a credential. See ``HTTPHeaders/description``.
    public var description: String { "\(name): \(printableValue)" }

    /// The name and the value, unless that may be a credential.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": printableValue], displayStyle: .struct)
    }
}
