import Foundation
import NetworkQueueKit

/// A header field as it is written on a command line or in a list: `Name: value`.
///
/// As with curl, `Name:` removes a field that would be sent by itself, and `Name;` is one with an empty value.
struct HeaderLine: Hashable, Sendable {
    let name: String
    /// `nil` where the field is not to be sent at all.
    let value: String?

    /// `nil` where there is no name before a colon, or what would be more than one line.
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

    /// The field as it is written.
    var text: String {
        switch value {
        case nil: "\(name):"
        case ""?: "\(name);"
        case let value?: "\(name): \(value)"
        }
    }

    /// Puts the field into what is sent.
    func add(to headers: inout HTTPHeaders) {
        if let value {
            headers.append(name: name, value: value)
        } else if name.lowercased() == "accept" {
            // The library sends none then, not even the one that says that everything is welcome.
            headers[name] = ""
        }
    }
}
