import Foundation
import NetworkQueueKit

/// A header field as written on a command line or in a list: `Name: value`.
///
/// As in curl, `Accept:` and `User-Agent:` suppress those fields, and `Name;` sends the field with an empty value.
struct HeaderLine: Hashable, Sendable {
    let name: String
    /// `nil` if the field must not be sent.
    let value: String?

    /// Parses a field; returns `nil` without a valid name, or if the text has more than one line.
    init?(_ text: String) {
        guard !text.contains(where: \.isNewline) else { return nil }
        if let colon = text.firstIndex(of: ":") {
            name = text[..<colon].trimmingCharacters(in: .whitespaces)
            let rest = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            value = rest.isEmpty ? nil : rest
        } else if text.last == ";" {
            name = text.dropLast().trimmingCharacters(in: .whitespaces)
            value = ""
        } else {
            return nil
        }
        // The characters of a token (RFC 9110, section 5.6.2).
        let others = "!#$%&'*+-.^_`|~"
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0)) })
        else { return nil }
    }

    /// The field in its written form.
    var text: String {
        switch value {
        case nil: "\(name):"
        case ""?: "\(name);"
        case let value?: "\(name): \(value)"
        }
    }

    /// Adds the field to the headers of a request.
    func add(to headers: inout HTTPHeaders) {
        if let value {
            headers.append(name: name, value: value)
        } else if name.lowercased() == "accept" {
            // With an empty value, no `Accept` is sent at all, not even the default `*/*`.
            headers[name] = ""
        }
    }
}
