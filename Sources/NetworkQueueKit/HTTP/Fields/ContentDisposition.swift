/// The file name in a `Content-Disposition` field (RFC 6266).
struct ContentDisposition {
    /// The suggested name as it was sent, which may contain folders or lead out of one.
    let fileName: String?

    /// Parses a field as received; malformed parts are ignored.
    init(_ value: [UInt8]) {
        var plain: String?
        var extended: String?
        ByteScanner.scan(value) { scanner in
            // Skip the disposition type: the file name is used with any type.
            scanner.take { $0 != UInt8(ascii: ";") }
            while scanner.skip(UInt8(ascii: ";")) {
                let (name, value) = Self.takeParameter(&scanner)
                switch name {
                case "filename" where plain == nil: plain = value
                case "filename*" where extended == nil: extended = value.flatMap(Self.decoded)
                default: break
                }
            }
        }
        // RFC 6266, section 4.3, prefers the extended form, which can express more.
        fileName = extended ?? plain
    }

    /// Consumes a parameter up to the next semicolon or the end.
    private static func takeParameter(_ scanner: inout ByteScanner) -> (name: String, value: String?) {
        scanner.take { $0.isBlank }
        let name = String(
            decoding: scanner.take { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && !$0.isBlank }, as: UTF8.self)
        scanner.take { $0.isBlank }
        guard scanner.skip(UInt8(ascii: "=")) else { return (name.utf8.lowercasedText, nil) }
        scanner.take { $0.isBlank }
        var value: [UInt8] = []
        if scanner.skip(UInt8(ascii: "\"")) {
            while let byte = scanner.pop(), byte != UInt8(ascii: "\"") {
                // A backslash escapes only a quote or another backslash. Before any other character, it is probably a
                // separator in a Windows path.
                let isQuoting =
                    byte == UInt8(ascii: "\\") && [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(scanner.next)
                value.append(isQuoting ? scanner.pop() ?? byte : byte)
            }
            scanner.take { $0 != UInt8(ascii: ";") }
        } else {
            value = Array(scanner.take { $0 != UInt8(ascii: ";") })
            while value.last?.isBlank == true { value.removeLast() }
        }
        // ISO-8859-1 was the historic charset of fields (RFC 9110, section 5.5), and RFC 6266, section 4.3, assumes it.
        let text = String(validating: value, as: UTF8.self) ?? String(latin1: value)
        return (name.utf8.lowercasedText, text)
    }

    /// Decodes a value such as `UTF-8'en'%e2%82%ac%20rates` (RFC 8187). Returns `nil` if it is malformed or its charset
    /// is neither UTF-8 nor ISO-8859-1.
    private static func decoded(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = ArraySlice(Array(parts[2])).percentDecoded
        return switch String(decoding: parts[0], as: UTF8.self).utf8.lowercasedText {
        case "utf-8": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": String(latin1: bytes)
        default: nil
        }
    }
}

extension String {
    /// Decodes bytes as ISO-8859-1.
    fileprivate init(latin1 bytes: some Collection<UInt8>) {
        self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
