import NetworkQueueKit

/// A header field as written on a command line or in a list: `Name: value`.
///
/// As in curl, `Name:` suppresses a field that would be sent otherwise, and `Name;` sends the field with an empty
/// value.
struct HeaderLine: Hashable, Sendable {
    let name: String
    /// `nil` if the field must not be sent.
    let value: String?

    /// Parses a field; returns `nil` without a valid name, or if the text has more than one line.
    init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else { return nil }
        let parts = text.parts(separatedBy: ":", maxSplits: 1).map { String($0.trimmedOfSpaces) }
        if parts.count == 2 {
            name = parts[0]
            value = parts[1].isEmpty ? nil : parts[1]
        } else if text.ends(withBytesOf: ";") {
            name = String(Substring(text.utf8.dropLast()).trimmedOfSpaces)
            value = ""
        } else {
            return nil
        }
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else { return nil }
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
        if let value { headers.append(name: name, value: value) } else { headers.suppress(name) }
    }
}
