import Foundation
import NetworkQueueKit

/// Reads URLs from what people type and lists hold.
enum URLText {
    /// The URL; `nil` unless it is one of `http` or `https` with a host.
    static func url(_ text: String) -> URL? { URL(webAddress: text) }

    /// A text as it may be shown: what stands before an `@` may be a password.
    static func shown(_ text: String) -> String { text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text }

    /// What to say about a text that is not such a URL.
    static func complaint(_ text: String) -> String {
        "not an http or https URL: “\(shown(text))”"
    }

    /// A URL as it may be shown, without name and password.
    static func shown(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "…" }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? "…"
    }
}
