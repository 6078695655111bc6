#if canImport(Glibc)
    import CCurl

    /// A URL in the parts that libcurl works with. Belongs to a handle.
    ///
    /// libcurl parses a text for each request and then puts its parts together again, which takes 12,000 instructions.
    /// Most requests of a handle go to the server of the previous one, so that only path and query change.
    struct CurlURL: ~Copyable {
        private let parts = ccurl_url_init()
        /// The scheme and authority of `parts`.
        private var origin: [UInt8] = []

        deinit {
            if let parts { ccurl_url_cleanup(parts) }
        }

        /// Takes the parts of `text`, an absolute URL as it goes over the wire. Returns the value of `CURLOPT_CURLU`;
        /// `nil` if libcurl must parse the text itself.
        mutating func take(_ text: String) -> UnsafeMutableRawPointer? {
            guard let parts else { return nil }
            let isTaken = text.withCString { start in
                let bytes = UnsafeRawBufferPointer(start: start, count: text.utf8.count)
                // libcurl changes the digits of percent escapes in a part, and removes a fragment only from a text.
                guard !bytes.contains(where: \.isSpecial) else { return false }
                return setOrigin(bytes, of: parts) && setTarget(bytes, start, of: parts)
            }
            if !isTaken { origin = [] }
            return isTaken ? parts : nil
        }

        private mutating func setOrigin(_ text: UnsafeRawBufferPointer, of parts: UnsafeMutableRawPointer) -> Bool {
            let slash = UInt8(ascii: "/")
            if !origin.isEmpty, text.count > origin.count, text[origin.count] == slash, text.starts(with: origin) {
                return true
            }
            guard let colon = text.position(of: UInt8(ascii: ":")),
                let end = text.dropFirst(colon + "://".utf8.count).firstIndex(of: slash)
            else { return false }
            origin = Array(text[..<end])
            return ccurl_url_set(parts, CCURLUPART_URL, String(decoding: origin, as: UTF8.self))
        }

        private func setTarget(
            _ text: UnsafeRawBufferPointer, _ start: UnsafePointer<CChar>, of parts: UnsafeMutableRawPointer
        ) -> Bool {
            guard let mark = text.position(of: UInt8(ascii: "?")) else {
                return ccurl_url_set(parts, CCURLUPART_QUERY, nil)
                    && ccurl_url_set(parts, CCURLUPART_PATH, start + origin.count)
            }
            // Some versions drop an empty query. A mark before the path is in the authority.
            guard mark + 1 < text.count, mark > origin.count else { return false }
            let path = String(decoding: text[origin.count..<mark], as: UTF8.self)
            return ccurl_url_set(parts, CCURLUPART_PATH, path)
                && ccurl_url_set(parts, CCURLUPART_QUERY, start + mark + 1)
        }
    }

    extension UInt8 {
        fileprivate var isSpecial: Bool {
            self <= UInt8(ascii: " ") || self >= 0x7F || self == UInt8(ascii: "%") || self == UInt8(ascii: "#")
                || self == UInt8(ascii: "[") || self == UInt8(ascii: "@")
        }
    }
#endif
