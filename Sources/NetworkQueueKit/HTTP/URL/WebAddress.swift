import Foundation

/// An absolute `http` or `https` URL, parsed in bytes by the rules of the WHATWG URL Standard.
///
/// Foundation does not parse text from the network: its parsers are not made for hostile text, and the lenient one
/// encodes `%` again if the text also has raw characters. Foundation only receives ``text``, which is plain ASCII that
/// every parser leaves unchanged. Every operation is linear in the length.
struct WebAddress: Hashable, Sendable {
    enum Scheme: String, Sendable {
        case http, https

        var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    var scheme: Scheme
    /// The user name and password, percent-encoded, without the `@`; empty if there are none.
    var userInformation: [UInt8]
    /// The host in lower-case ASCII; an IPv6 address includes its brackets.
    var host: [UInt8]
    /// The port; `nil` for the scheme's default.
    var port: UInt16?
    /// The path, percent-encoded. It begins with a slash and has no dot segments.
    var path: [UInt8]
    /// The query, percent-encoded, without the `?`. An empty query differs from none.
    var query: [UInt8]?
    /// The fragment, percent-encoded, without the `#`.
    var fragment: [UInt8]?

    /// The whole address as text.
    var text: String {
        var bytes = Array("\(scheme.rawValue)://".utf8)
        bytes.reserveCapacity(path.count + (query?.count ?? 0) + (fragment?.count ?? 0) + 64)
        if !userInformation.isEmpty { bytes += userInformation + "@".utf8 }
        bytes += host
        if let port { bytes += ":\(port)".utf8 }
        appendTarget(to: &bytes)
        if let fragment {
            bytes.append(UInt8(ascii: "#"))
            bytes += fragment
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path and query for the request line.
    var requestTarget: String {
        var bytes: [UInt8] = []
        appendTarget(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The address without user name and password.
    var withoutUserInformation: WebAddress {
        var address = self
        address.userInformation = []
        return address
    }

    /// The address as a Foundation URL whose `absoluteString` is ``text``; `nil` if Foundation refuses or would change
    /// it.
    var url: URL? {
        let text = text
        let url = URL(string: text, encodingInvalidCharacters: false)
        return url?.absoluteString == text ? url : nil
    }

    private func appendTarget(to bytes: inout [UInt8]) {
        bytes += path
        if let query {
            bytes.append(UInt8(ascii: "?"))
            bytes += query
        }
    }
}

extension URL {
    /// Creates an absolute `http` or `https` URL from text that a person typed or that a list contains.
    ///
    /// The text is parsed as browsers do (WHATWG URL Standard). Percent-encoded characters are kept, and only
    /// characters that are not allowed in a URL are encoded. So text that mixes both is safe: `http://h/a%20b [1].txt`
    /// becomes `http://h/a%20b%20%5B1%5D.txt`, while Foundation's `URL(string:)` would request `a%2520b…`.
    ///
    /// - Spaces and control characters around the text are ignored, and so are tabs and line breaks within it.
    /// - Scheme and host may be in any case and become lower case. Any number of slashes may follow the scheme. A
    ///   backslash before the query is read as a slash.
    /// - The host is percent-decoded. Non-ASCII hosts are converted (IDNA), and numbers such as `127.1` become the IPv4
    ///   address that they represent. IPv6 addresses must be in brackets, with a zone as `%25eth0` if needed.
    /// - The port must be 0 to 65535. An empty port and the scheme's default port are removed.
    /// - An empty path becomes `/`. The segments `.` and `..` are resolved, even if their dots are encoded.
    /// - User name and password are kept; see ``NetworkRequest/credential``.
    /// - A `%` that is not followed by two hexadecimal digits becomes `%25`. ASCII characters that RFC 3986 does not
    ///   allow, such as `[`, `]`, `|` and `^`, are encoded even where the WHATWG standard keeps them, because
    ///   Foundation would refuse them. Unlike in the WHATWG standard, `'` in a query is kept.
    ///
    /// `absoluteString` is exactly the result of these rules. O(length).
    ///
    /// - Returns: `nil` if the scheme is missing or is not `http` or `https`; if the host is missing, is longer than
    ///   4,096 bytes or has a character that RFC 3986 does not allow; if the last label of the host is a number but the
    ///   host is not an IPv4 address; or if the port is not a number in the range.
    public init?(webAddress text: String) {
        guard let url = WebAddress(text.utf8, allowsInternationalHost: true)?.url else { return nil }
        self = url
    }

    /// Creates an absolute `http` or `https` URL from text that may be relative to another one, as a link of a page is.
    /// Otherwise like ``init(webAddress:)``, except that a host must be ASCII.
    package init?(webAddress text: String, relativeTo base: URL) {
        guard let base = WebAddress(base.absoluteString.utf8),
            let url = WebAddress(reference: text.utf8, relativeTo: base)?.url
        else { return nil }
        self = url
    }

    /// Returns the number of bytes before the path of a text, if ``init(webAddress:)`` keeps its path and query as they
    /// are; `nil` if it may change them, or if there is no path or a fragment.
    ///
    /// So if it has kept one URL whole, it keeps every text that begins with the same bytes before the path. O(length).
    package static func originLength(beforeEncodedPathOf text: String) -> Int? {
        let (slash, percent, dot) = (UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "."))
        var text = text
        return text.withUTF8 { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
                bytes[colon...].starts(with: "://".utf8),
                let start = bytes[(colon + 3)...].firstIndex(of: slash)
            else { return nil }
            var allowed = ByteSet.path
            for index in start..<bytes.count {
                let byte = bytes[index]
                if byte == percent {
                    guard index + 2 < bytes.count, bytes[index + 1].hexValue != nil, bytes[index + 2].hexValue != nil
                    else { return nil }
                    // It may be the dot of a dot segment.
                    if bytes[index - 1] == slash, bytes[index + 1] == UInt8(ascii: "2") { return nil }
                } else if byte == dot {
                    if bytes[index - 1] == slash { return nil }
                } else if byte == UInt8(ascii: "?") {
                    allowed = .query
                } else if !allowed.contains(byte) {
                    return nil
                }
            }
            return start
        }
    }
}
