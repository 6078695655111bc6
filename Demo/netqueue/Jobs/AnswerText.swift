import Dashboard
import Foundation
import NetworkQueueKit

/// What an error page says in words, without its markup.
struct AnswerText {
    /// The maximum length in bytes.
    private static let limit = 200

    /// The text in one line that is safe for a terminal, of at most 200 bytes.
    let line: String

    /// Takes the words from the content of a response; `nil` if there are none, or no more than its status says.
    init?(_ content: Data, of head: ResponseHead) {
        // A download of the wrong size has a response, too, which is mostly no text.
        guard !content.contains(0) else { return nil }
        let text = String(decoding: content, as: UTF8.self)
        let type = head.headers["Content-Type"]?.lowercased() ?? ""
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(15).lowercased()
        let words =
            if type.contains("json") || start.hasPrefix("{") {
                Self.message(inJSON: content) ?? text
            } else if type.contains("html") || start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
                Markup(text).heading
            } else if type.contains("xml") || start.hasPrefix("<?xml") {
                Markup(text).message
            } else {
                text
            }
        let line = Self.line(words)
        guard !line.isEmpty, !Self.repeats(head.statusCode, line) else { return nil }
        self.line = line
    }

    /// Collapses white space, and cuts what is too long.
    private static func line(_ text: String) -> String {
        // More than fits, because white space is collapsed.
        var line = String(text.prefix(2000)).withoutControls(replacement: " ").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        guard line.utf8.count > limit else { return line }
        let mark = "…"
        while line.utf8.count + mark.utf8.count > limit { line.removeLast() }
        return line + mark
    }

    /// Whether a text says no more than a status, such as `404: Not Found`.
    private static func repeats(_ status: Int, _ line: String) -> Bool {
        let words = { (text: String) in text.lowercased().split { !$0.isLetter }.filter { $0 != "error" } }
        return [words(HTTPURLResponse.localizedString(forStatusCode: status)), []].contains(words(line))
    }

    /// The reason in a JSON object: as RFC 9457 names it, or as many services do.
    private static func message(inJSON content: Data) -> String? {
        guard let object = try? JSONSerialization.jsonObject(with: content) else { return nil }
        return message(object)
    }

    private static func message(_ value: Any) -> String? {
        if let text = value as? String { return text.isEmpty ? nil : text }
        if let list = value as? [Any] { return list.first.flatMap(message) }
        guard let object = value as? [String: Any] else { return nil }
        let keys = ["detail", "message", "error_description", "error", "errors", "title"]
        return keys.lazy.compactMap { object[$0].flatMap(message) }.first
    }
}

/// The texts of HTML or XML, which need not be well-formed.
private struct Markup {
    /// The texts in order, each with the name of the element that begins before it.
    private var pieces: [(element: String, text: String)] = []

    init(_ markup: String) {
        var rest = markup[...]
        var element = ""
        while !rest.isEmpty {
            let text = rest.prefix { $0 != "<" }
            rest = rest.dropFirst(text.count)
            let words = Self.decoded(text).trimmingCharacters(in: .whitespacesAndNewlines)
            if !words.isEmpty { pieces.append((element, words)) }
            let end: String = rest.hasPrefix("<!--") ? "-->" : rest.hasPrefix("<![CDATA[") ? "]]>" : ">"
            let tag = rest.firstRange(of: end).map { rest[..<$0.upperBound] } ?? rest
            rest = rest[tag.endIndex...]
            if tag.hasPrefix("<![CDATA[") { pieces.append((element, String(tag.dropFirst(9).dropLast(3)))) }
            if tag.hasPrefix("<!") || tag.hasPrefix("<?") { continue }
            element = tag.dropFirst().prefix { !$0.isWhitespace && $0 != ">" }.lowercased()
            // What these contain is not text.
            guard ["script", "style"].contains(element) else { continue }
            rest = rest.range(of: "</\(element)", options: .caseInsensitive).map { rest[$0.lowerBound...] } ?? ""
        }
    }

    /// The title, or else the first text.
    var heading: String { text(of: "title") ?? pieces.first?.text ?? "" }

    /// The text of the element for the message, with any namespace prefix, or else all texts.
    var message: String {
        text(of: "message") ?? pieces.map(\.text).joined(separator: " ")
    }

    private func text(of name: String) -> String? {
        pieces.first { $0.element == name || $0.element.hasSuffix(":\(name)") }?.text
    }

    private static func decoded(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        // The ampersand comes last, because it may begin another name.
        let names = [
            ("lt", "<"), ("gt", ">"), ("quot", "\""), ("#39", "'"), ("apos", "'"), ("nbsp", " "), ("amp", "&"),
        ]
        return names.reduce(into: String(text)) { $0.replace("&\($1.0);", with: $1.1) }
    }
}

extension RequestOperation {
    /// The words of the response to a failed request or to an upload, in one line; `nil` if there are none.
    var answerLine: String? {
        let response = error?.response
        guard let content = response?.data ?? answer, let head = response?.head ?? responseHead else { return nil }
        return AnswerText(content, of: head)?.line
    }
}
