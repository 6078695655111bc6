import Foundation

extension HTTPExchange {
    /// The text of a URL that goes over the wire.
    struct WireURL {
        /// An absolute `http` or `https` URL with a host, and without user information and dot segments.
        let text: String
        /// Whether the text differs from that of the URL.
        let differs: Bool
    }

    /// The URL as the text that a transport sends. Throws if it cannot be sent.
    func wireURL() throws(URLError) -> String {
        if let checkedURL { return checkedURL }
        return try Self.wireURL(of: url).text
    }

    /// The path and query in the request line; `/` for a URL that cannot be sent.
    var requestTarget: String {
        guard var text = try? wireURL() else { return "/" }
        return text.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            // After "http://" or "https://".
            let authority = (text.position(of: UInt8(ascii: ":")) ?? 0) + 3
            let start = text.endOfAuthority(from: authority)
            let target = text[start...].prefix { $0 != UInt8(ascii: "#") }
            let isPath = target.first == UInt8(ascii: "/")
            return (isPath ? "" : "/") + String(decoding: target, as: UTF8.self)
        }
    }

    /// The text that goes over the wire for `url`. Throws if the URL cannot be sent.
    ///
    /// Works on the text, because on Linux reading one component of a `URL` costs as much as all of this.
    static func wireURL(of url: URL) throws(URLError) -> WireURL {
        var text = url.absoluteString
        let changed = try text.withUTF8 { changedWireURL(of: UnsafeRawBufferPointer($0)) }.get()
        return changed ?? WireURL(text: text, differs: false)
    }

    /// The text to send instead of `text`; `nil`, as for most URLs, if `text` itself can be sent.
    private static func changedWireURL(of text: UnsafeRawBufferPointer) -> Result<WireURL?, URLError> {
        let start: Int
        switch startOfAuthority(in: text) {
        case .success(let index): start = index
        case .failure(let error): return .failure(error)
        }
        let path = text.endOfAuthority(from: start)
        let authority = UnsafeRawBufferPointer(rebasing: text[start..<path])
        let hasSign = authority.position(of: UInt8(ascii: "@")) != nil
        let host = hasSign ? text[start..<path].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start : start
        guard host < path, text[host] != UInt8(ascii: ":") else { return .failure(URLError(.badURL)) }
        let rest = UnsafeRawBufferPointer(rebasing: text[path...])
        let hasDotSegments = DotSegments.arePresent(in: rest)
        guard host > start || hasDotSegments else { return .success(nil) }
        var changed = Array(text[..<start])
        changed += text[host..<path]
        if hasDotSegments { changed += DotSegments.removed(from: rest) } else { changed += rest }
        return .success(
            WireURL(
                text: String(decoding: changed, as: UTF8.self), differs: true))
    }

    /// The start of the authority, after `http://` or `https://`.
    private static func startOfAuthority(in text: UnsafeRawBufferPointer) -> Result<Int, URLError> {
        guard let colon = text.firstIndex(where: { $0 == UInt8(ascii: ":") || $0.endsAuthority }),
            text[colon] == UInt8(ascii: ":")
        else { return .failure(URLError(.badURL)) }
        let isHTTP = text.isField("http") || text.isField("https")
        guard isHTTP else { return .failure(URLError(.unsupportedURL)) }
        let hasAuthority = text[(colon + 1)...].starts(with: "//".utf8)
        return hasAuthority ? .success(colon + 3) : .failure(URLError(.badURL))
    }
}

extension UnsafeRawBufferPointer {
    /// The end of a URL's authority that starts at `start`.
    fileprivate func endOfAuthority(from start: Int) -> Int {
        var index = start
        while index < count, !self[index].endsAuthority { index += 1 }
        return index
    }
}

extension UInt8 {
    fileprivate var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}

extension HTTPHeaders.Field {
    /// Whether the field would contradict the framing, which follows from the body.
    var isFraming: Bool {
        switch name.utf8.count {
        case 14: name.lowercased() == "content-length"
        case 17: name.lowercased() == "transfer-encoding"
        default: false
        }
    }
}
