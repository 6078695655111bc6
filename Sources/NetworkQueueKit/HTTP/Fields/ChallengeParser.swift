/// A parser for authentication challenges (RFC 9110, section 11.6.1):
///
/// ```text
/// challenges = challenge *( "," challenge )
/// challenge  = scheme [ 1*SP ( token68 / auth-param *( "," auth-param ) ) ]
/// ```
///
/// Commas separate challenges as well as parameters, so only the text after a comma shows which one follows. Missing
/// quotes and extra commas, which some servers send, are accepted. Parsing is linear in the length.
struct ChallengeParser {
    struct Challenge: Equatable {
        /// The scheme in lower case.
        let scheme: String
        /// The parameters, by lowercased name. Of several with the same name, the first is kept.
        var parameters: [String: String] = [:]
    }

    /// The maximum length of all challenges of a response together, in bytes.
    static let maximumLength = 8 * 1024
    /// The maximum number of challenges in a response.
    static let maximumCount = 32

    private var scanner: ByteScanner
    private var challenges: [Challenge] = []

    /// Returns the challenges in the values of a response's fields, or `nil` if they exceed the limits.
    static func challenges(in values: [String]) -> [Challenge]? {
        guard values.reduce(0, { $0 + $1.utf8.count }) <= maximumLength else { return nil }
        let challenges = values.flatMap { Self.challenges(in: $0) }
        return challenges.count <= maximumCount ? challenges : nil
    }

    /// Returns the challenges in one value.
    static func challenges(in value: String) -> [Challenge] {
        ByteScanner.scan(value) { scanner in
            var parser = ChallengeParser(scanner: scanner)
            parser.parse()
            return parser.challenges
        }
    }

    private mutating func parse() {
        while true {
            scanner.take { $0.isFieldSpace || $0 == UInt8(ascii: ",") }
            let token = scanner.take(while: \.isTokenCharacter)
            if token.isEmpty {
                // Skip stray characters, such as the padding of a token68.
                guard scanner.pop() != nil else { return }
                continue
            }
            let hadSpace = !scanner.take(while: \.isFieldSpace).isEmpty
            guard scanner.skip(UInt8(ascii: "=")) else {
                challenges.append(Challenge(scheme: token.lowercasedText))
                if hadSpace { skipToken68() }
                continue
            }
            if challenges.isEmpty || scanner.next == UInt8(ascii: "=") {
                // The padding of a token68, or a value outside any challenge.
                if hadSpace { challenges.append(Challenge(scheme: token.lowercasedText)) }
                continue
            }
            scanner.take(while: \.isFieldSpace)
            let value = takeValue()
            let name = token.lowercasedText
            let last = challenges.count - 1
            if challenges[last].parameters[name] == nil { challenges[last].parameters[name] = value }
        }
    }

    /// Skips a token68, if a comma or the end follows it. Its slashes and padding would otherwise be misread.
    private mutating func skipToken68() {
        var ahead = scanner
        ahead.take { $0.isLetter || $0.isDigit || "-._~+/".utf8.contains($0) }
        ahead.take { $0 == UInt8(ascii: "=") }
        ahead.take(while: \.isFieldSpace)
        if ahead.isAtEnd || ahead.next == UInt8(ascii: ",") { scanner = ahead }
    }

    private mutating func takeValue() -> String {
        guard scanner.skip(UInt8(ascii: "\"")) else {
            return String(decoding: scanner.take { $0 != UInt8(ascii: ",") && !$0.isFieldSpace }, as: UTF8.self)
        }
        var value: [UInt8] = []
        while let byte = scanner.pop(), byte != UInt8(ascii: "\"") {
            // A quoted-pair.
            value.append(byte == UInt8(ascii: "\\") ? scanner.pop() ?? byte : byte)
        }
        return String(decoding: value, as: UTF8.self)
    }
}
