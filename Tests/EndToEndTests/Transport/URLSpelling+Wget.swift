extension URLSpelling {
    /// What the `wget2` program asks for where it is not ``target``, and why the library does not follow it.
    ///
    /// Where `curl` and `wget2` differ the library does what the WHATWG URL Standard says, as browsers do, and `curl`
    /// in most of these cases; ``curl`` has the others.
    var wget: (target: String, reason: String)? { Self.wget[text] }

    private static let decodes =
        "wget2 decodes paths and encodes them anew, and takes a plus in a query for a space: what the sender has "
        + "written may mean something else (RFC 3986, section 2.2)"
    private static let query = "wget2 sends most of a query as it is, also what RFC 3986 does not allow there"
    private static let dots = "wget2 leaves dot segments to the server"
    private static let browsers = "wget2 reads fewer spellings than browsers"

    private static let wget: [String: (target: String, reason: String)] = [
        "http://h/%2f%2F": ("///", decodes),
        "http://h/%41%7e": ("/A~", decodes),
        "http://h/a%00b": ("/a", decodes),
        "http://h/!$&'()*+,;=:@": ("/%21%24%26%27%28%29%2A%2B%2C%3B%3D%3A%40", decodes),
        "http://h/?!$&'()*+,;=:@/?": ("/?!$&'()*%20,;=:@/?", decodes),
        "http://h/a+b?c+d": ("/a%2Bb?c%20d", decodes),
        "http://u:p@h/a@b": ("/a%40b", decodes),
        "http://h/a?[1]": ("/a?[1]", query),
        "http://h/a?b|c": ("/a?b|c", query),
        "http://h/%zz?%4": ("/%25zz?%4", query),
        "http://h/?ä": ("/?ä", query),
        "http://h/?a\\b": ("/?a\\b", query),
        "http://h/a/../b": ("/a/../b", dots),
        "http://h/a/./b/.": ("/a/./b/.", dots),
        "http://h/a/b/..": ("/a/b/..", dots),
        "http://h/../../a": ("/../../a", dots),
        "http://h/a/%2e%2E/b": ("/a/../b", dots),
        "http://h/a/.%2e/b": ("/a/../b", dots),
        "http://h/a/%2e/b": ("/a/./b", dots),
        "http://h/a\\b": ("/a%5Cb", browsers),
        "http://h/a\tb": ("/a%09b", browsers),
        " http://h/a ": ("/a%20", browsers),
        "http:\\\\h\\a": ("/", browsers),
    ]
}
