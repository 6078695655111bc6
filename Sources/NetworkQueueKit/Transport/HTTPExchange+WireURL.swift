import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPExchange {
    /// The URL as a transport hands it on: absolute, `http` or `https`, with a host and without user information.
    func wireURL() throws(URLError) -> String {
        if let checkedURL { return checkedURL }
        return try Self.wireURL(of: url).text
    }

    /// What goes over the wire for `url`, or what is wrong with it.
    ///
    /// Works on the text: on Linux, each component of a `URL` costs as much as all of this.
    static func wireURL(of url: URL) throws(URLError) -> (text: String, hadUserInformation: Bool) {
        var text = url.absoluteString
        let range = try text.withUTF8 { userInformation(in: $0) }.get()
        guard !range.isEmpty else { return (text, false) }
        let bytes = Array(text.utf8)
        return (String(decoding: bytes[..<range.lowerBound] + bytes[range.upperBound...], as: UTF8.self), true)
    }

    /// Where the user information is, `@` included; empty when there is none.
    private static func userInformation(in bytes: UnsafeBufferPointer<UInt8>) -> Result<Range<Int>, URLError> {
        guard let colon = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0.endsAuthority }),
            bytes[colon] == UInt8(ascii: ":")
        else { return .failure(URLError(.badURL)) }
        guard isHTTP(bytes[..<colon]) else { return .failure(URLError(.unsupportedURL)) }
        let start = colon + 3
        guard bytes.count > start, bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/") else {
            return .failure(URLError(.badURL))
        }
        let authority = bytes[start...].prefix { !$0.endsAuthority }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
        guard host < authority.endIndex, bytes[host] != UInt8(ascii: ":") else { return .failure(URLError(.badURL)) }
        return .success(start..<host)
    }

    private static func isHTTP(_ scheme: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard scheme.count == 4 || scheme.count == 5 else { return false }
        // Letters alone come out of this as letters, which those of "https" are.
        let letters = scheme.reduce(UInt64(0)) { $0 << 8 | UInt64($1 | 0x20) }
        return letters == 0x6874_7470 || letters == 0x68_7474_7073
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
