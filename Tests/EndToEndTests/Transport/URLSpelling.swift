import NetworkQueueKit

/// A way to write a URL, what the library makes of it, and where the `curl` program makes something else of it.
struct URLSpelling: Sendable {
    let text: String
    /// `nil` where it is refused.
    let expected: String?
    let curl: Curl

    enum Curl: Sendable {
        /// Sends the same, in every version.
        case same
        /// Sends something else, or nothing; some versions send the same.
        case other(target: String? = nil, host: String? = nil, because: String)
    }

    init(_ text: String, _ expected: String?, _ curl: Curl = .same) {
        (self.text, self.expected, self.curl) = (text, expected, curl)
    }

    /// What stands in the request line.
    var target: String? {
        guard let expected else { return nil }
        let rest = expected.dropFirst("http://".count).prefix { $0 != "#" }
        return rest.firstIndex(of: "/").map { String(rest[$0...]) }
    }

    /// What stands in `Host`.
    var host: String? {
        guard let expected else { return nil }
        let authority = expected.dropFirst("http://".count).prefix { $0 != "/" }
        return String(authority.split(separator: "@").last ?? authority)
    }

    private static let strictness = "Foundation takes no URL with a character that RFC 3986 does not allow"
    private static let space = "curl refuses spaces, browsers encode them"
    private static let browsers = "curl reads fewer spellings than browsers"
    private static let dots = "older versions do not look for encoded dots"
    private static let hosts = "curl refuses more characters than RFC 3986 does, or fewer"
    private static let text = "the conversion depends on how curl was built"

    static let all: [URLSpelling] = [
        // Characters of paths and queries.
        .init("http://h/a", "http://h/a"),
        .init("http://h/sub%20dir/mix [1].txt", "http://h/sub%20dir/mix%20%5B1%5D.txt", .other(because: space)),
        .init("http://h/a b", "http://h/a%20b", .other(because: space)),
        .init("http://h/a?b c", "http://h/a?b%20c", .other(because: space)),
        .init("http://h/%20?%20", "http://h/%20?%20"),
        .init("http://h/[1]", "http://h/%5B1%5D", .other(target: "/[1]", because: strictness)),
        .init("http://h/a?[1]", "http://h/a?%5B1%5D", .other(target: "/a?[1]", because: strictness)),
        .init("http://h/a|b", "http://h/a%7Cb", .other(target: "/a|b", because: strictness)),
        .init("http://h/a?b|c", "http://h/a?b%7Cc", .other(target: "/a?b|c", because: strictness)),
        .init("http://h/a^b`c", "http://h/a%5Eb%60c", .other(target: "/a^b`c", because: strictness)),
        .init("http://h/{a}", "http://h/%7Ba%7D", .other(target: "/{a}", because: strictness)),
        .init("http://h/\"a\"", "http://h/%22a%22", .other(target: "/\"a\"", because: strictness)),
        .init("http://h/<a>", "http://h/%3Ca%3E", .other(target: "/<a>", because: strictness)),
        .init("http://h/%", "http://h/%25", .other(target: "/%", because: strictness)),
        .init("http://h/100%", "http://h/100%25", .other(target: "/100%", because: strictness)),
        .init("http://h/%zz?%4", "http://h/%25zz?%254", .other(target: "/%zz?%4", because: strictness)),
        .init("http://h/%2f%2F", "http://h/%2f%2F"),
        .init("http://h/%41%7e", "http://h/%41%7e"),
        .init("http://h/a%00b", "http://h/a%00b"),
        .init("http://h/%2520", "http://h/%2520"),
        .init("http://h/~a-b_c.d", "http://h/~a-b_c.d"),
        .init("http://h/!$&'()*+,;=:@", "http://h/!$&'()*+,;=:@"),
        .init("http://h/?!$&'()*+,;=:@/?", "http://h/?!$&'()*+,;=:@/?"),
        .init("http://h/a+b?c+d", "http://h/a+b?c+d"),
        .init(
            "http://h/日本", "http://h/%E6%97%A5%E6%9C%AC",
            .other(target: "/%e6%97%a5%e6%9c%ac", because: "case of digits")),
        .init("http://h/?ä", "http://h/?%C3%A4", .other(target: "/?ä", because: "curl sends it as it is")),
        .init("http://h/a\\b", "http://h/a/b", .other(target: "/a\\b", because: browsers)),
        .init("http://h/?a\\b", "http://h/?a%5Cb", .other(target: "/?a\\b", because: strictness)),
        .init("http://h/a\tb", "http://h/ab", .other(because: browsers)),
        .init(" http://h/a ", "http://h/a", .other(because: browsers)),
        // The shape of path, query and fragment.
        .init("http://h", "http://h/"),
        .init("http://h?a", "http://h/?a"),
        .init("http://h#a", "http://h/#a"),
        .init("http://h/?", "http://h/?", .other(target: "/", because: "some versions leave an empty query out")),
        .init("http://h/a?b#c?d", "http://h/a?b#c?d"),
        .init("http://h/#a#b", "http://h/#a%23b"),
        .init("http://h//a//b/", "http://h//a//b/"),
        .init("http://h/a?b?c", "http://h/a?b?c"),
        .init("http://h/a/../b", "http://h/b"),
        .init("http://h/a/./b/.", "http://h/a/b/"),
        .init("http://h/a/b/..", "http://h/a/"),
        .init("http://h/../../a", "http://h/a"),
        .init("http://h/a?b/../c", "http://h/a?b/../c"),
        .init("http://h/.a/..b/...", "http://h/.a/..b/..."),
        .init("http://h/a/%2e%2E/b", "http://h/b", .other(target: "/a/%2e%2E/b", because: dots)),
        .init("http://h/a/.%2e/b", "http://h/b", .other(target: "/a/.%2e/b", because: dots)),
        .init("http://h/a/%2e/b", "http://h/a/b", .other(target: "/a/%2e/b", because: dots)),
        // Scheme and slashes.
        .init("HTTP://h/a", "http://h/a"),
        .init("http:h/a", "http://h/a", .other(because: browsers)),
        .init("http:/h/a", "http://h/a"),
        .init("http:///h/a", "http://h/a"),
        .init("http:////h/a", "http://h/a", .other(because: browsers)),
        .init("http:\\\\h\\a", "http://h/a", .other(because: browsers)),
        // Ports.
        .init("http://h:80/a", "http://h/a"),
        .init("http://h:/a", "http://h/a"),
        .init("http://h:0080/a", "http://h/a"),
        .init("http://h:8080", "http://h:8080/"),
        .init("http://h:443/a", "http://h:443/a"),
        .init("http://h:65536/", nil),
        .init("http://h:x/", nil),
        .init("http://h:1:2/", nil),
        // Names and passwords, which are not part of either.
        .init("http://u:p@h/a@b", "http://u:p@h/a@b"),
        .init("http://u%40:p%3A@h/", "http://u%40:p%3A@h/"),
        .init("http://@h/", "http://h/"),
        .init("http://u:p@w@h/", "http://u:p%40w@h/", .other(because: browsers)),
        // Hosts.
        .init("http://H.Example/", "http://h.example/"),
        .init("http://h./", "http://h./"),
        .init("http://a_b/", "http://a_b/"),
        .init("http://a%62c/", "http://abc/"),
        .init("http://xn--mnchen-3ya.de/", "http://xn--mnchen-3ya.de/"),
        .init("http://münchen.de/", "http://xn--mnchen-3ya.de/", .other(host: "münchen.de", because: text)),
        .init("http://m%C3%BCnchen.de/", "http://xn--mnchen-3ya.de/", .other(host: "m%C3%BCnchen.de", because: text)),
        .init("http://faß.de/", "http://xn--fa-hia.de/", .other(host: "fass.de", because: text)),
        .init("http://日本。jp/", "http://xn--wgv71a.jp/", .other(host: "日本。jp", because: text)),
        .init("http://127.1/", "http://127.0.0.1/"),
        .init("http://0x7f000001/", "http://127.0.0.1/"),
        .init("http://0177.0.0.1/", "http://127.0.0.1/"),
        .init("http://2130706433/", "http://127.0.0.1/"),
        .init("http://1.2.3/", "http://1.2.0.3/"),
        .init("http://[::1]/a", "http://[::1]/a"),
        .init("http://[FE80::A]:81/", "http://[fe80::a]:81/"),
        .init("http://[::ffff:1.2.3.4]/", "http://[::ffff:1.2.3.4]/"),
        .init(
            "http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/",
            .other(target: "/", host: "[fe80::1]", because: "zone")),
        .init("http://256.1.1.1/", nil, .other(target: "/", host: "256.1.1.1", because: hosts)),
        .init("http://1.2.3.4.5/", nil, .other(target: "/", host: "1.2.3.4.5", because: hosts)),
        .init("http://a!b/", "http://a!b/", .other(because: hosts)),
        .init("http://a b/", nil),
        .init("http://[::1/", nil),
        .init("http://[zz]/", nil),
        .init("http:///", nil),
        .init("http://u@/", nil),
    ]
}
