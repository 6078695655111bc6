import Foundation

/// An absolute `http` or `https` URL, taken apart by the rules of the WHATWG URL Standard, in bytes.
///
/// Foundation's parsers are not asked to read text from the network: the lenient one encodes the `%` of a text that also has
/// raw characters again, and they are not fit for hostile text. They only get ``text``, which is plain ASCII that any of them
/// keeps as it is. Every operation is linear in the length.
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
