extension WebAddress {
    /// Parses an absolute address; `nil` for another scheme or without a valid host.
    ///
    /// - Parameter allowsInternationalHost: whether the host may have non-ASCII characters, which Foundation then
    ///   converts. Must be `false` for bytes from the network.
    init?(_ bytes: some Sequence<UInt8>, allowsInternationalHost: Bool = false) {
        let input = Self.trimmed(bytes)
        guard case .web(let scheme, let rest) = Self.scheme(of: input) else { return nil }
        self.init(scheme, afterSlashes: rest, allowsInternationalHost)
    }

    /// Parses an address relative to another one, as in a `Location` field (RFC 3986, section 5.2).
    init?(reference bytes: some Sequence<UInt8>, relativeTo base: WebAddress) {
        let input = Self.trimmed(bytes)
        switch Self.scheme(of: input) {
        case .other: return nil
        case .missing: self.init(relative: input, base)
        case .web(base.scheme, let rest): self.init(relative: rest, base)
        case .web(let scheme, let rest): self.init(scheme, afterSlashes: rest, false)
        }
    }

    private init?(relative input: ArraySlice<UInt8>, _ base: WebAddress) {
        let (path, query, fragment) = Self.split(input)
        if path.first?.isSlash == true {
            if path.dropFirst().first?.isSlash == true {
                self.init(base.scheme, afterSlashes: input, false)
                return
            }
            self = base
            self.path = Self.path(path.dropFirst(), in: [UInt8(ascii: "/")])
            self.query = query
        } else if !path.isEmpty {
            self = base
            self.path = Self.path(path, in: base.folder)
            self.query = query
        } else {
            self = base
            if query != nil { self.query = query }
        }
        self.fragment = fragment
    }

    /// - Parameter input: the text after the scheme's colon, with any number of slashes.
    private init?(_ scheme: Scheme, afterSlashes input: ArraySlice<UInt8>, _ allowsInternationalHost: Bool) {
        let rest = input.drop(while: \.isSlash)
        let authority = rest.prefix { !$0.isSlash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let server = at.map { authority[($0 + 1)...] } ?? authority
        guard let end = Self.endOfHost(server),
            let host = Self.host(server[..<end], allowsInternational: allowsInternationalHost)
        else { return nil }
        var port: UInt16?
        if end < server.endIndex {
            guard let number = Self.port(server[(end + 1)...]) else { return nil }
            port = number.flatMap { $0 == scheme.defaultPort ? nil : $0 }
        }
        let (path, query, fragment) = Self.split(rest[authority.endIndex...])
        self.init(
            scheme: scheme, userInformation: at.map { Self.userInformation(authority[..<$0]) } ?? [], host: host,
            port: port, path: Self.path(path.dropFirst(), in: [UInt8(ascii: "/")]), query: query, fragment: fragment)
    }

    /// The path up to and including its last slash, to which relative paths are appended.
    private var folder: [UInt8] {
        path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? [UInt8(ascii: "/")]
    }
}

// MARK: - Parts

extension WebAddress {
    private enum LeadingScheme {
        case web(Scheme, rest: ArraySlice<UInt8>)
        case other
        case missing
    }

    /// Returns the text without control characters and spaces at both ends, and without tabs and line breaks, which
    /// appear in wrapped text.
    private static func trimmed(_ bytes: some Sequence<UInt8>) -> ArraySlice<UInt8> {
        let bytes = Array(bytes)
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let end = bytes.lastIndex(where: { $0 > 0x20 })
        else { return [] }
        let text = bytes[start...end]
        return text.contains(where: \.isTabOrLineBreak) ? text.filter { !$0.isTabOrLineBreak }[...] : text
    }

    private static func scheme(of input: ArraySlice<UInt8>) -> LeadingScheme {
        guard let first = input.first, first.isLetter,
            let colon = input.firstIndex(where: { !ByteSet.scheme.contains($0) }), input[colon] == UInt8(ascii: ":")
        else { return .missing }
        // The known schemes have at most five letters.
        guard colon - input.startIndex <= 5,
            let scheme = Scheme(rawValue: String(decoding: input[..<colon].asciiLowercased, as: UTF8.self))
        else { return .other }
        return .web(scheme, rest: input[(colon + 1)...])
    }

    /// Splits the text after the authority. Query and fragment are returned encoded, the path unchanged.
    private static func split(
        _ input: ArraySlice<UInt8>
    ) -> (path: ArraySlice<UInt8>, query: [UInt8]?, fragment: [UInt8]?) {
        let hash = input.firstIndex(of: UInt8(ascii: "#")) ?? input.endIndex
        let mark = input[..<hash].firstIndex(of: UInt8(ascii: "?")) ?? hash
        return (
            input[..<mark], mark < hash ? input[(mark + 1)..<hash].percentEncoded(allowing: .query) : nil,
            hash < input.endIndex ? input[(hash + 1)...].percentEncoded(allowing: .query) : nil
        )
    }

    /// - Parameter folder: the path to append to; ends with a slash.
    private static func path(_ source: ArraySlice<UInt8>, in folder: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let backslash = UInt8(ascii: "\\")
        let slashed = source.contains(backslash) ? source.map { $0 == backslash ? slash : $0 }[...] : source
        let path = folder + slashed.percentEncoded(allowing: .path)
        return path.withUnsafeBytes { bytes in
            DotSegments.arePresent(in: bytes) ? DotSegments.removed(from: bytes) : path
        }
    }

    /// Returns the user name and, unless it is empty, the password.
    private static func userInformation(_ source: ArraySlice<UInt8>) -> [UInt8] {
        let colon = source.firstIndex(of: UInt8(ascii: ":")) ?? source.endIndex
        let name = source[..<colon].percentEncoded(allowing: .userInformation)
        let password = source[colon...].dropFirst().percentEncoded(allowing: .userInformation)
        return password.isEmpty ? name : name + ":".utf8 + password
    }

    /// Returns the position of the colon before the port, or the end; `nil` if a bracket is not closed.
    private static func endOfHost(_ server: ArraySlice<UInt8>) -> Int? {
        var start = server.startIndex
        if server.first == UInt8(ascii: "[") {
            guard let bracket = server.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            start = bracket
        }
        return server[start...].firstIndex(of: UInt8(ascii: ":")) ?? server.endIndex
    }

    /// Returns the port; `.some(nil)` for an empty port, `nil` for anything but a number in the range.
    private static func port(_ digits: ArraySlice<UInt8>) -> UInt16?? {
        var number = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
            guard number <= UInt16.max else { return nil }
        }
        return .some(digits.isEmpty ? nil : UInt16(number))
    }
}

extension UInt8 {
    /// The WHATWG URL Standard reads a backslash before the query as a slash.
    fileprivate var isSlash: Bool { self == UInt8(ascii: "/") || self == UInt8(ascii: "\\") }
    fileprivate var isTabOrLineBreak: Bool {
        self == UInt8(ascii: "\t") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
    }
}
