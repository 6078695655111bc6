#if canImport(Glibc)
    import CCurl
    import Foundation

    /// A URL that libcurl has taken apart. Belongs to a handle.
    ///
    /// From a text libcurl works out the parts, puts them together again, and formats address and port, for each request anew.
    /// Most requests of a handle go to the server of the one before: then it is only path and query that change.
    struct CurlURL: ~Copyable {
        private let handle: UnsafeMutableRawPointer?
        /// Scheme and authority of what is in `handle`, as they stand in the text.
        private var origin: [UInt8] = []
        private var hasQuery = false

        init() { handle = ccurl_url_init() }

        deinit {
            if let handle { ccurl_url_cleanup(handle) }
        }

        /// Parses `text`, an absolute HTTP URL; returns what to set as `CURLOPT_CURLU`, or `nil` where libcurl has to look
        /// at the text itself.
        ///
        /// The pointer is the same each time. What it points to may change whenever no transfer uses it.
        mutating func parse(_ text: String) -> UnsafeMutableRawPointer? {
            let isParsed = text.withCString { start in
                parse(UnsafeRawBufferPointer(start: start, count: text.utf8.count), start: start)
            }
            return isParsed ? handle : nil
        }

        /// - Parameter start: the same text, which ends with a NUL there.
        private mutating func parse(_ text: UnsafeRawBufferPointer, start: UnsafePointer<CChar>) -> Bool {
            guard let handle else { return false }
            let isSameServer = hasOrigin(text)
            guard let path = isSameServer ? origin.count : Self.endOfAuthority(text),
                let query = Self.startOfQuery(text, path: path)
            else { return false }
            let isSet =
                isSameServer
                ? setTarget(of: text, path: path, query: query, on: handle)
                : ccurl_url_set(handle, CCURLUPART_URL, start) == 0
            if !isSet {
                origin = []
            } else if !isSameServer {
                origin = Array(text[..<path])
            }
            hasQuery = query < text.count
            return isSet
        }

        private func hasOrigin(_ text: UnsafeRawBufferPointer) -> Bool {
            guard text.count > origin.count, text[origin.count] == UInt8(ascii: "/"), let start = text.baseAddress
            else { return false }
            return origin.withUnsafeBytes { origin in
                origin.baseAddress.map { memcmp($0, start, origin.count) == 0 } ?? false
            }
        }

        private func setTarget(
            of text: UnsafeRawBufferPointer, path: Int, query: Int, on handle: UnsafeMutableRawPointer
        ) -> Bool {
            guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
            guard query < text.count else {
                return (!hasQuery || ccurl_url_set(handle, CCURLUPART_QUERY, nil) == 0)
                    && ccurl_url_set(handle, CCURLUPART_PATH, start + path) == 0
            }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: query - path + 1) { copy in
                guard let copy = copy.baseAddress else { return false }
                copy.initialize(from: start + path, count: query - path)
                copy[query - path] = 0
                return ccurl_url_set(handle, CCURLUPART_PATH, copy) == 0
                    && ccurl_url_set(handle, CCURLUPART_QUERY, start + query + 1) == 0
            }
        }

        /// Where the path starts, after a plain authority. libcurl does not copy all that may be in brackets.
        private static func endOfAuthority(_ text: UnsafeRawBufferPointer) -> Int? {
            // After "http://" or "https://".
            guard let colon = text.position(of: UInt8(ascii: ":")), colon + 3 < text.count else { return nil }
            for index in (colon + 3)..<text.count {
                switch text[index] {
                case UInt8(ascii: "/"): return index
                case UInt8(ascii: "["), UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"):
                    return nil
                default: break
                }
            }
            return nil
        }

        /// Where the question mark is, or the end; `nil` unless libcurl would send the target as it is either way.
        ///
        /// From a text libcurl removes the fragment. In a part it changes the case of digits after `%`, which would spoil a
        /// signature. There are no dot segments any more.
        private static func startOfQuery(_ text: UnsafeRawBufferPointer, path: Int) -> Int? {
            var query = text.count
            for index in path..<text.count {
                let byte = text[index]
                guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "#") else { return nil }
                if byte == UInt8(ascii: "?"), query == text.count { query = index }
            }
            // Some versions drop an empty query.
            return query == text.count - 1 ? nil : query
        }
    }

    extension String {
        /// Whether something is percent-encoded with a small letter.
        var hasSmallEscape: Bool {
            var text = self
            return text.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)
                while let percent = rest.position(of: UInt8(ascii: "%")) {
                    rest = UnsafeRawBufferPointer(rebasing: rest[(percent + 1)...])
                    if rest.prefix(2).contains(where: { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f") }) {
                        return true
                    }
                }
                return false
            }
        }
    }
#endif
