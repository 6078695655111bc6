/// Domains that are open to public registration. No cookie may apply to a whole one (RFC 6265, section 5.3, step 5).
///
/// A short rule replaces the public suffix list, which changes every week. It covers domains of one label, and domains
/// of two labels if the last is a country code and the first a common category such as `co` in `co.uk`. It does not
/// know other suffixes, such as `github.io` or `kobe.jp`; a server there can set cookies for its siblings.
enum PublicSuffix {
    private static let kinds: Set<String> = [
        "ac", "co", "com", "ed", "edu", "gob", "go", "gouv", "gov", "gv", "id", "info", "int", "ltd", "mil", "name",
        "ne",
        "net", "nhs", "nom", "or", "org", "plc", "police", "sch", "school", "web",
    ]

    /// - Parameter domain: a domain in lower case, without a leading dot.
    static func contains(_ domain: String) -> Bool {
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        switch labels.count {
        case 1: return true
        case 2: return labels[1].count == 2 && kinds.contains(String(decoding: labels[0], as: UTF8.self))
        default: return false
        }
    }
}
