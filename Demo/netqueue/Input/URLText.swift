import Foundation
import NetworkQueueKit

/// Parses URLs that users type or lists contain.
enum URLText {
    /// The URL of a text; `nil` unless its scheme is `http` or `https` and it has a host. Browsers use the first path
    /// component as a missing host; here a missing host is an error, because it was probably forgotten or comes from an
    /// empty variable.
    static func url(_ text: String) -> URL? { lacksHost(text) ? nil : URL(webAddress: text) }

    /// The URL of a text that may be relative to another URL.
    static func url(_ text: String, relativeTo base: URL?) -> URL? {
        guard let base else { return url(text) }
        return lacksHost(text) ? nil : URL(webAddress: text, relativeTo: base) ?? URL(webAddress: text)
    }

    /// Whether a text begins like a web address, and not like the path of a file.
    static func isWebAddress(_ text: String) -> Bool {
        ["http://", "https://"].contains { text.prefix($0.count).lowercased() == $0 }
    }

    /// Works on bytes, because it is called for every line of a list.
    private static func lacksHost(_ text: String) -> Bool {
        let bytes = text.utf8.drop { $0 <= UInt8(ascii: " ") }
        for scheme in ["http://", "https://"] where bytes.count >= scheme.utf8.count {
            // Only letters may differ in case.
            guard zip(bytes, scheme.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && $1 >= UInt8(ascii: "a") }) else {
                continue
            }
            let rest = bytes.dropFirst(scheme.utf8.count)
            return rest.first.map { "/\\?#".utf8.contains($0) } != false || rest.allSatisfy { $0 <= UInt8(ascii: " ") }
        }
        return false
    }

    /// The text without everything before the last `@`, which may be a password.
    static func shown(_ text: String) -> String {
        text.utf8.lastIndex(of: UInt8(ascii: "@")).map { "…" + text[$0...] } ?? text
    }

    /// The message about a text that is not a valid URL.
    static func complaint(_ text: String) -> String {
        let text = String(text.trimmedOfSpaces)
        if lacksHost(text) { return "no host in “\(shown(text))”" }
        // Give no advice for mistyped words and options.
        let advice =
            text.index(afterBytesOf: "://") != nil || URL(webAddress: "https://" + text)?.host()?.contains(".") != true
            ? "" : "; did you mean “https://\(shown(text))”?"
        return "not an http or https URL: “\(shown(text))”\(advice)"
    }

    /// A URL for display, without user name and password.
    static func shown(_ url: URL) -> String { url.printable }
}
