/// Texts without the values of fields that carry credentials.
///
/// Those are, whatever the case:
/// - `Authorization`, `Proxy-Authorization`, `Authentication-Info`, `Proxy-Authentication-Info` (RFC 9110, section 11),
///   `Cookie`, `Set-Cookie` (RFC 6265) and their obsolete second versions;
/// - every field in whose name one of these words stands between hyphens, underscores or the ends: `auth`,
///   `authorization`, `cookie`, `token`, `jwt`, `secret`, `password`, `passwd`, `credential`, `credentials`, `apikey`,
///   `signature`, `session`; or the words `api key`, `access key`, `auth key`, `private key`, `subscription key`,
///   `functions key`, such as `X-Api-Key`.
///
/// Challenges (`WWW-Authenticate`, `Proxy-Authenticate`) are shown, since a nonce is not secret. In all other values
/// URLs are shown without name and password.
extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields, one a line, without the values of those that carry credentials.
    public var description: String {
        map(\.description).joined(separator: "\n")
    }

    /// The same as `description`, in brackets.
    public var debugDescription: String {
        "[" + map(\.description).joined(separator: ", ") + "]"
    }

    /// What `dump` shows: the same.
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
    /// What makes a `key` one.
    private static let keyWords: Set<String> = ["api", "access", "auth", "private", "subscription", "functions"]

    /// Whether the value may be a credential.
    private var isSecret: Bool {
        let name = name.lowercased()
        if Self.secretNames.contains(name) { return true }
        let words = name.split { $0 == "-" || $0 == "_" }.map(String.init)
        return words.contains(where: Self.secretWords.contains)
            || zip(words, words.dropFirst()).contains { Self.keyWords.contains($0) && $1 == "key" }
    }

    var printableValue: String { isSecret ? "<hidden>" : value.withoutUserInformationInURLs }

    /// The field line, without the value if that may be a credential. See ``HTTPHeaders/description``.
    public var description: String { "\(name): \(printableValue)" }

    /// What `dump` shows: the same.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": printableValue], displayStyle: .struct)
    }
}
