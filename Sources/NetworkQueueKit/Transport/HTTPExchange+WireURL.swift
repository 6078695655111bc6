import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPExchange {
    /// The URL as a transport hands it on: absolute, `http` or `https`, with a host and without user information.
    ///
    /// Works on the text: on Linux, each component of a `URL` costs as much as all of this.
    func wireURL() throws(URLError) -> String {
        let text = url.absoluteString
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0.endsAuthority }),
            bytes[colon] == UInt8(ascii: ":")
        else { throw URLError(.badURL) }
        guard ["http", "https"].contains(text[..<colon].lowercased()) else { throw URLError(.unsupportedURL) }

        guard bytes[colon...].starts(with: "://".utf8) else { throw URLError(.badURL) }
        let start = bytes.index(colon, offsetBy: 3)
        let end = bytes[start...].firstIndex(where: \.endsAuthority)
        let authority = bytes[start..<(end ?? bytes.endIndex)]
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
            guard let first = authority.first, first != UInt8(ascii: ":") else { throw URLError(.badURL) }
            return text
        }
        let host = bytes.index(after: at)
        guard host < authority.endIndex, bytes[host] != UInt8(ascii: ":") else { throw URLError(.badURL) }
        return String(text[..<start]) + text[host...]
    }
}

extension UInt8 {
    fileprivate var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}

extension HTTPHeaders.Field {
    /// Whether the field would contradict the body's own framing.
    var isFraming: Bool {
        switch name.utf8.count {
        case 14: name.lowercased() == "content-length"
        case 17: name.lowercased() == "transfer-encoding"
        default: false
        }
    }
}
