import Foundation
import NetworkQueueKit

/// Reads URLs from what people type and lists hold.
enum URLText {
    /// The URL; `nil` unless it is one of `http` or `https` with a host. The first part of the path is none, as it is
    /// for browsers: the host has been forgotten, or is an empty variable.
    static func url(_ text: String) -> URL? { lacksHost(text) ? nil : URL(webAddress: text) }

    /// By bytes: it is asked of every line of a list.
    private static func lacksHost(_ text: String) -> Bool {
        let bytes = text.utf8.drop { $0 <= UInt8(ascii: " ") }
        for scheme in ["http://", "https://"] where bytes.count >= scheme.utf8.count {
            // The letters alone change.
            guard zip(bytes, scheme.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && $1 >= UInt8(ascii: "a") }) else {
                continue
            }
            let rest = bytes.dropFirst(scheme.utf8.count)
            return rest.first.map { "/\\?#".utf8.contains($0) } != false || rest.allSatisfy { $0 <= UInt8(ascii: " ") }
        }
        return false
    }

    /// A text as it may be shown: what stands before an `@` may be a password.
    static func shown(_ text: String) -> String { text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text }

    /// What to say about a text that is not such a URL.
    static func complaint(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .whitespaces)
        if lacksHost(text) { return "no host in “\(shown(text))”" }
        // Not for the words and options that have been mistyped.
        let advice =
            text.contains("://") || URL(webAddress: "https://" + text)?.host()?.contains(".") != true
            ? "" : "; did you mean “https://\(shown(text))”?"
        return "not an http or https URL: “\(shown(text))”\(advice)"
    }

    /// A URL as it may be shown, without name and password.
    static func shown(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "…" }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? "…"
    }
}
