import Foundation
import NetworkQueueKit

/// A line of a list of JSON lines: an object whose keys are the fields of a list.
///
///     {"url": "https://example.com/a.iso", "out": "disks/a.iso", "size": 5, "headers": {"Accept": "image/png"}}
enum JSONLine {
    /// The reason why a line is invalid.
    struct Fault: Error {
        let reason: String
    }

    /// Parses a line.
    ///
    /// - Parameter address: Returns the address of the text of a URL, if it is one.
    static func entry(
        _ line: [UInt8], relativeTo base: URL?, address: (String) -> String?
    ) throws(Fault) -> ListEntry {
        let fields = try fields(line)
        guard let url = fields.values["url"]?.first else { throw Fault(reason: "the object has no “url”") }
        guard !url.trimmedOfSpaces.isEmpty, let address = address(url) else {
            throw Fault(reason: URLText.complaint(url))
        }
        var entry = ListEntry(address: address)
        for name in ["out", "checksum", "size", "group", "stage"] {
            for value in fields.values[name] ?? [] { try set(name, value) }
        }
        for (name, values) in fields.headers.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
                throw Fault(reason: "invalid key “\(name)” in “headers”; expected the name of a header field")
            }
            if values.texts.isEmpty { try set("header", name + ":") }
            for value in values.texts {
                try set("header", value.trimmedOfSpaces.isEmpty ? name + ";" : "\(name): \(value)")
            }
        }
        for mirror in fields.values["mirrors"] ?? [] { try set("mirror", mirror) }
        func set(_ name: String, _ value: String) throws(Fault) {
            if let reason = entry.set(name[...], value, relativeTo: base) { throw Fault(reason: reason) }
        }
        return entry
    }

    private static func fields(_ line: [UInt8]) throws(Fault) -> Fields {
        // The decoder takes text with NUL bytes for UTF-16, and decodes bytes that are not UTF-8 as something else.
        guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
            throw Fault(reason: "the line is not UTF-8")
        }
        let fields: Fields
        do { fields = try JSONDecoder().decode(Fields.self, from: Data(line)) } catch {
            throw error as? Fault ?? Fault(reason: "the line is not a JSON object")
        }
        let outline = Outline(line)
        // The decoder allows it.
        if outline.hasStrayComma { throw Fault(reason: "the line is not a JSON object") }
        // The decoder keeps one of several values of a key.
        guard outline.pairCount == fields.keyCount + fields.headers.count else {
            throw Fault(reason: "a key occurs twice in the object")
        }
        // No other list can have them, so nothing that reads or writes an entry expects them.
        guard !fields.texts.contains(where: { $0.utf8.contains { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D } }) else {
            throw Fault(reason: "a value has a tab or a line break")
        }
        return fields
    }

    // MARK: Writing

    /// The line for an entry.
    static func text(_ entry: ListEntry) -> String {
        var fields = Written(url: entry.address)
        fields.out = entry.path?.joined(separator: "/")
        fields.checksum = entry.checksumText
        (fields.size, fields.group) = (entry.size, entry.group)
        fields.stage = entry.stage == 0 ? nil : entry.stage
        // Without a value, a field is not sent.
        let headers = Dictionary(grouping: entry.headers, by: \.name).mapValues { $0.compactMap(\.value) }
        fields.headers = headers.isEmpty ? nil : headers
        fields.mirrors = entry.mirrors.isEmpty ? nil : entry.mirrors.map(\.absoluteString)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(fields)).map { String(decoding: $0, as: UTF8.self) } ?? entry.line
    }

    /// An invalid line with absolute URLs; the same line if it is not an object, or one whose keys occur twice.
    static func absolute(_ line: String, relativeTo base: URL) -> String {
        let content = try? JSONSerialization.jsonObject(with: Data(line.utf8))
        guard var object = content as? [String: Any], Outline(line.utf8).pairCount == keyCount(object) else {
            return line
        }
        func absolute(_ text: String) -> String { URLText.url(text, relativeTo: base)?.absoluteString ?? text }
        if let url = object["url"] as? String { object["url"] = absolute(url) }
        if let mirrors = object["mirrors"] as? [String] { object["mirrors"] = mirrors.map(absolute) }
        let text = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return text.map { String(decoding: $0, as: UTF8.self) } ?? line
    }

    private static func keyCount(_ value: Any) -> Int {
        if let object = value as? [String: Any] { return object.count + object.values.map(keyCount).reduce(0, +) }
        return (value as? [Any])?.map(keyCount).reduce(0, +) ?? 0
    }
}

/// What the punctuation of JSON tells that the decoder does not.
private struct Outline {
    /// The number of pairs of a key and a value, each of which has a colon.
    private(set) var pairCount = 0
    /// Whether a comma has nothing behind it.
    private(set) var hasStrayComma = false

    init(_ line: some Sequence<UInt8>) {
        var (isInText, isEscaped, isBehindComma) = (false, false, false)
        for byte in line where !byte.isSpace || isInText {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isInText
            case UInt8(ascii: "\""): isInText.toggle()
            case _ where isInText: break
            case UInt8(ascii: ":"): pairCount += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): hasStrayComma = hasStrayComma || isBehindComma
            default: break
            }
            isBehindComma = byte == UInt8(ascii: ",") && !isInText
        }
    }
}

/// A string, or an array of strings.
private struct Texts: Decodable {
    let texts: [String]

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        texts = try (try? value.decode(String.self)).map { [$0] } ?? value.decode([String].self)
    }
}

/// The keys of a line, each with a value of its type.
private struct Fields: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The values of all keys but “headers”, as a list of lines has them.
    var values: [String: [String]] = [:]
    var headers: [String: Texts] = [:]
    let keyCount: Int

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Name.self)
        keyCount = object.allKeys.count
        for name in object.allKeys {
            // With the type, because an optional one would accept null.
            func value<Value: Decodable>(_ type: Value.Type, _ demand: String) throws(JSONLine.Fault) -> Value {
                // Do not quote the value, which may be a secret.
                do { return try object.decode(type, forKey: name) } catch {
                    throw JSONLine.Fault(reason: "invalid value of “\(name.stringValue)”; expected \(demand)")
                }
            }
            let key = name.stringValue
            switch key {
            case "url", "out", "checksum", "group": values[key] = [try value(String.self, "a string")]
            case "size": values[key] = ["\(try value(Int64.self, "a number of bytes"))"]
            case "stage": values[key] = ["\(try value(Int.self, "a number from 0"))"]
            case "headers": headers = try value([String: Texts].self, "an object of strings or arrays of strings")
            case "mirrors": values[key] = try value([String].self, "an array of strings")
            default:
                let keys = "url, out, checksum, size, group, stage, headers or mirrors"
                throw JSONLine.Fault(reason: "unknown key “\(key)”; expected \(keys)")
            }
        }
    }

    /// All strings.
    var texts: [String] { values.values.joined() + headers.flatMap { [$0.key] + $0.value.texts } }
}

/// A line to write. Keys that do not apply are left out.
private struct Written: Encodable {
    let url: String
    var out, checksum, group: String?
    var size: Int64?
    var stage: Int?
    var headers: [String: [String]]?
    var mirrors: [String]?
}
