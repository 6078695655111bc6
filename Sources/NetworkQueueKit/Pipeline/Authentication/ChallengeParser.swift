/// Takes challenges apart:
///
///     challenges = challenge *( "," challenge )
///     challenge  = scheme [ 1*SP ( token68 / auth-param *( "," auth-param ) ) ]
///
/// The comma stands between challenges and between parameters, so what follows one is only told by what comes next.
/// Servers are known for missing quotes and spare commas; those are put up with.
struct ChallengeParser {
    struct Challenge: Equatable {
        /// In lower case.
        let scheme: String
        /// By their names in lower case; the first of a name counts.
        var parameters: [String: String] = [:]
    }

    private var rest: Substring.UnicodeScalarView

    static func challenges(in value: String) -> [Challenge] {
        var parser = ChallengeParser(rest: value[...].unicodeScalars)
        return parser.parse()
    }

    private mutating func parse() -> [Challenge] {
        var challenges: [Challenge] = []
        while true {
            skip { $0 == " " || $0 == "\t" || $0 == "," }
            let token = take { Self.isToken($0) }
            if token.isEmpty {
                // Something that belongs nowhere, such as the padding of a token68.
                guard rest.popFirst() != nil else { return challenges }
                continue
            }
            let hadSpace = skip { $0 == " " || $0 == "\t" }
            if rest.first == "=", !challenges.isEmpty, rest.dropFirst().first != "=" {
                rest.removeFirst()
                skip { $0 == " " || $0 == "\t" }
                let value = takeValue()
                let name = token.lowercased()
                let last = challenges.count - 1
                if challenges[last].parameters[name] == nil { challenges[last].parameters[name] = value }
            } else if rest.first != "=" || hadSpace {
                challenges.append(Challenge(scheme: token.lowercased()))
            }
        }
    }

    private mutating func takeValue() -> String {
        guard rest.first == "\"" else { return take { $0 != "," && $0 != " " && $0 != "\t" } }
        rest.removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            // quoted-pair
            value.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        return String(value)
    }

    @discardableResult
    private mutating func skip(_ isSkipped: (Unicode.Scalar) -> Bool) -> Bool {
        let count = rest.count
        rest = rest.drop(while: isSkipped)
        return rest.count < count
    }

    private mutating func take(_ isTaken: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    /// RFC 9110, section 5.6.2
    private static func isToken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar)
        }
    }
}
