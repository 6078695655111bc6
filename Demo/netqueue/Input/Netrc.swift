import Foundation

/// Logins by host, in the format of `~/.netrc` that ftp, curl and others use.
struct Netrc: Hashable, Sendable {
    private var logins: [String: Login] = [:]
    private var fallback: Login?

    /// Reads the file that `NETRC` names, or `~/.netrc`.
    init(environment: [String: String]) throws(UsageError) {
        let path = environment["NETRC"] ?? (environment["HOME"] ?? "") + "/.netrc"
        do {
            self.init(text: String(decoding: try SystemFile.read(path), as: UTF8.self))
        } catch {
            throw UsageError("--netrc: “\(path)” cannot be read: \(error.reason)")
        }
    }

    /// Parses a file's text: words separated by white space, where `machine NAME` or `default` starts an entry. A word
    /// in quotes may contain spaces, and in it `\"` stands for a quote.
    init(text: String) {
        // Skip macros, which extend to the next blank line.
        var isMacro = false
        var words: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let parts = Self.words(of: line)
            if isMacro { isMacro = !parts.isEmpty }
            if isMacro || parts.first?.hasPrefix("#") == true { continue }
            if let start = parts.firstIndex(of: "macdef") {
                isMacro = true
                words += parts[..<start]
            } else {
                words += parts
            }
        }
        read(words)
    }

    private mutating func read(_ words: [String]) {
        var rest = words[...]
        var host: String?
        var user: String?, password: String?
        var isEntry = false
        func finish(_ netrc: inout Netrc) {
            defer { (user, password) = (nil, nil) }
            guard isEntry, let user else { return }
            let login = Login(user: user, password: password ?? "")
            guard let host else {
                netrc.fallback = netrc.fallback ?? login
                return
            }
            // The first login of a host counts.
            if netrc.logins[host] == nil { netrc.logins[host] = login }
        }
        while let word = rest.popFirst() {
            switch word {
            case "machine":
                finish(&self)
                (host, isEntry) = (rest.popFirst()?.lowercased(), true)
            case "default":
                finish(&self)
                (host, isEntry) = (nil, true)
            case "login": user = rest.popFirst()
            case "password": password = rest.popFirst()
            case "account": _ = rest.popFirst()
            default: break
            }
        }
        finish(&self)
    }

    /// The words of a line.
    private static func words(of line: Substring) -> [String] {
        var words: [String] = []
        var rest = line.drop(while: \.isWhitespace)
        while !rest.isEmpty {
            if let (word, end) = quotedWord(in: rest) {
                words.append(word)
                rest = rest[end...]
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                words.append(String(word))
                rest = rest[word.endIndex...]
            }
            rest = rest.drop(while: \.isWhitespace)
        }
        return words
    }

    /// The quoted word at the start of a text, and its end; `nil` if there is no quoted word or no closing quote.
    private static func quotedWord(in text: Substring) -> (word: String, end: Substring.Index)? {
        guard text.first == "\"" else { return nil }
        var word = ""
        var index = text.index(after: text.startIndex)
        while index < text.endIndex, text[index] != "\"" {
            if text[index] == "\\", case let next = text.index(after: index), next < text.endIndex { index = next }
            word.append(text[index])
            index = text.index(after: index)
        }
        return index < text.endIndex ? (word, text.index(after: index)) : nil
    }

    /// The login for a host, or else the default login.
    func login(for host: String) -> Login? { logins[host.lowercased()] ?? fallback }
}
