import Foundation
import NetworkQueueKit

/// Logins by host, in the format of `~/.netrc` that ftp, curl and others use.
struct Netrc: Hashable, Sendable {
    /// The logins of each host in the order of the file. Those of `nil` are for every host.
    private var logins: [String?: [Login]] = [:]

    /// Reads the file that `NETRC` names, or `~/.netrc`.
    init(environment: [String: String]) throws(UsageError) {
        let path = environment["NETRC"] ?? (environment["HOME"] ?? "") + "/.netrc"
        do {
            self.init(text: String(decoding: try POSIXFile.read(path), as: UTF8.self))
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
        for line in text.listLines {
            let parts = Self.words(of: line)
            if isMacro { isMacro = !parts.isEmpty }
            if isMacro || parts.first?.utf8.first == UInt8(ascii: "#") { continue }
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
        // What precedes the first entry belongs to none.
        var entries: [(host: String?, user: String?, password: String?)] = [(nil, nil, nil)]
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "machine": entries.append((rest.popFirst()?.lowercased(), nil, nil))
            case "default": entries.append((nil, nil, nil))
            case "login": entries[entries.count - 1].user = rest.popFirst()
            case "password": entries[entries.count - 1].password = rest.popFirst()
            case "account": _ = rest.popFirst()
            default: break
            }
        }
        for case (let host, let user?, let password) in entries.dropFirst() {
            logins[host, default: []].append(Login(user: user, password: password ?? ""))
        }
    }

    /// The words of a line. A quote without another one is part of its word.
    private static func words(of line: Substring) -> [String] {
        let word = /(?s)"((?:[^"\\]|\\.)*)"|[^ \t\r]+/.matchingSemantics(.unicodeScalar)
        let escape = /(?s)\\(.)/.matchingSemantics(.unicodeScalar)
        return line.matches(of: word).map { match in
            String(match.1?.replacing(escape) { $0.1 } ?? match.0)
        }
    }

    /// The first login for a host, or else the default login. If `user` is given, only a login of that user.
    func login(for host: String, user: String? = nil) -> Login? {
        let all = logins[host.lowercased(), default: []] + logins[nil, default: []]
        guard let user else { return all.first }
        return all.first { $0.user.equals(bytesOf: user) }
    }

    /// The login for a URL. User and password in the URL take precedence, and a user alone chooses among the logins.
    func login(for url: URL) -> Login? {
        if url.password(percentEncoded: false) != nil { return nil }
        return login(for: url.host() ?? "", user: url.user(percentEncoded: false))
    }
}
