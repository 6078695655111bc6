import Foundation

/// An absolute `http` or `https` URL, taken apart by the rules of the WHATWG URL Standard, in bytes.
///
/// Foundation's parsers are not asked to read text from the network: the lenient one encodes the `%` of a text that
/// also has raw characters again, and they are not fit for hostile text. They only get ``text``, which is plain ASCII
/// that any of them keeps as it is. Every operation is linear in the length.
struct WebAddress: Hashable, Sendable {
    enum Scheme: String, Sendable {
        case http, https

        var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    var scheme: Scheme
    /// Name and password, percent-encoded, without the `@`; empty where there is neither.
    var userInformation: [UInt8]
    /// In lower case and ASCII; an IPv6 address with its brackets.
    var host: [UInt8]
    /// `nil` for the scheme's own.
    var port: UInt16?
    /// Percent-encoded; begins with a slash and has no dot segments.
    var path: [UInt8]
    /// Percent-encoded, without the `?`. Empty is not the same as missing.
    var query: [UInt8]?
    /// Percent-encoded, without the `#`.
    var fragment: [UInt8]?

    /// The whole address.
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

    /// Path and query as they stand in the request line.
    var requestTarget: String {
        var bytes: [UInt8] = []
        appendTarget(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same without name and password.
    var withoutUserInformation: WebAddress {
        var address = self
        address.userInformation = []
        return address
    }

    /// Foundation's form, whose `absoluteString` is ``text``; `nil` where Foundation refuses or would change it.
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
    /// Creates an absolute `http` or `https` URL from a text that a person has typed or a list holds.
    ///
    /// The text is read as browsers do (WHATWG URL Standard). What is percent-encoded in it stays as it is, and only
    /// what may not stand in a URL is encoded, so texts that mix both are safe: `http://h/a%20b [1].txt` becomes
    /// `http://h/a%20b%20%5B1%5D.txt`, where Foundation's `URL(string:)` would ask the server for `a%2520b…`.
    ///
    /// - Spaces and control characters around the text are ignored, and so are tabs and line breaks within it.
    /// - The scheme and the host may be in any case and become lower case. After the scheme there may be any number of
    ///   slashes. A backslash before the query is a slash.
    /// - A host is percent-decoded; one with characters beyond ASCII is converted (IDNA); numbers such as `127.1`
    ///   become the IPv4 address that they mean. IPv6 addresses stand in brackets, with their zone as `%25eth0` if need
    ///   be.
    /// - The port is 0 to 65535. An empty one is left out, and so is the scheme's own.
    /// - An empty path becomes `/`. The segments `.` and `..` are resolved, also where their dots are encoded.
    /// - A name and a password are kept; see ``NetworkRequest/credential``.
    /// - A `%` that is not followed by two hexadecimal digits becomes `%25`, and the ASCII characters that RFC 3986
    ///   does not allow, such as `[`, `]`, `|` and `^`, are encoded also where the standard leaves them: Foundation
    ///   would refuse them. Against the standard, `'` in a query is kept.
    ///
    /// `absoluteString` is exactly the text that comes of these rules. O(length).
    ///
    /// - Returns: `nil` without a scheme, for a scheme other than `http` and `https`, without a host, for a host of
    ///   more than 4,096 bytes or with a character that RFC 3986 does not allow in one, for one whose last part is a
    ///   number though it is no address, and for a port that is not a number in the range.
    public init?(webAddress text: String) {
        guard let url = WebAddress(text.utf8, allowsInternationalHost: true)?.url else { return nil }
        self = url
    }
}
