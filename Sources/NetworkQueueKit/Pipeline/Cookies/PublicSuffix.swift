/// Domains open to registration by the public, so that no cookie is for all of them (RFC 6265, section 5.3, step 5).
///
/// A short rule in place of the public suffix list, which changes every week: a domain of one label, and one of two
/// labels of which the last is a country's and the first is a usual one for a kind of registrant, such as `co.uk`.
/// Suffixes of other forms, such as `github.io` or `kobe.jp`, are not known to it: there a server may set cookies for
/// its siblings.
enum PublicSuffix {
    private static let kinds: Set<String> = [
        "ac", "co", "com", "ed", "edu", "gob", "go", "gouv", "gov", "gv", "id", "info", "int", "ltd", "mil", "name",
        "ne",
        "net", "nhs", "nom", "or", "org", "plc", "police", "sch", "school", "web",
    ]

    /// - Parameter domain: in lower case, without a leading dot.
    static func contains(_ domain: String) -> Bool {
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        switch labels.count {
        case 1: return true
        case 2: return labels[1].count == 2 && kinds.contains(String(decoding: labels[0], as: UTF8.self))
        default: return false
        }
    }
}
