import Foundation

extension URL {
    /// Creates an absolute `http` or `https` URL from a text that a person has typed or a list holds.
    ///
    /// The text is read as browsers do (WHATWG URL Standard). What is percent-encoded in it stays as it is, and only what may
    /// not stand in a URL is encoded, so texts that mix both are safe: `http://h/a%20b [1].txt` becomes
    /// `http://h/a%20b%20%5B1%5D.txt`, where Foundation's `URL(string:)` would ask the server for `a%2520b…`.
    ///
    /// - Spaces and control characters around the text are ignored, and so are tabs and line breaks within it.
    /// - The scheme and the host may be in any case and become lower case. After the scheme there may be any number of slashes.
    ///   A backslash before the query is a slash.
    /// - A host is percent-decoded; one with characters beyond ASCII is converted (IDNA); numbers such as `127.1` become the
    ///   IPv4 address that they mean. IPv6 addresses stand in brackets, with their zone as `%25eth0` if need be.
    /// - The port is 0 to 65535. An empty one is left out, and so is the scheme's own.
    /// - An empty path becomes `/`. The segments `.` and `..` are resolved, also where their dots are encoded.
    /// - A name and a password are kept; see ``NetworkRequest/credential``.
    /// - A `%` that is not followed by two hexadecimal digits becomes `%25`, and the ASCII characters that RFC 3986 does not
    ///   allow, such as `[`, `]`, `|` and `^`, are encoded also where the standard leaves them: Foundation would refuse them.
    ///   Against the standard, `'` in a query is kept.
    ///
    /// `absoluteString` is exactly the text that comes of these rules. O(length).
    ///
    /// - Returns: `nil` without a scheme, for a scheme other than `http` and `https`, without a host, for a host of more than
    ///   4,096 bytes or with a character that RFC 3986 does not allow in one, for one whose last part is a number though it is
    ///   no address, and for a port that is not a number in the range.
    public init?(webAddress text: String) {
        guard let url = WebAddress(text.utf8, allowsInternationalHost: true)?.url else { return nil }
        self = url
    }
}
