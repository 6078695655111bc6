import Foundation
import NetworkQueueKit

/// A URL to download, with the fields of its list.
struct ListEntry: Hashable, Sendable {
    /// The URL as parsing has left it; ``url`` is made from it when it is needed, which for most entries is late.
    let address: String
    /// The path below the folder; `nil` if it follows from the URL and the options.
    var path: [String]?
    var checksum: NetworkRequest.Checksum?
    /// The size in bytes.
    var size: Int64?
    /// The group that has a progress of its own.
    var group: String?
    /// The download starts after those of all lower stages have ended.
    var stage = 0
    var headers: [HeaderLine] = []
    /// Other URLs with the same content.
    var mirrors: [URL] = []

    var url: URL {
        guard let url = URL(string: address, encodingInvalidCharacters: false) else {
            preconditionFailure("The text of a URL has changed.")
        }
        return url
    }

    /// The URL without its fragment, which no server sees.
    var addressWithoutFragment: String {
        address.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(address[..<$0]) } ?? address
    }

    /// A text that is equal for entries of the same download: the entry's line without the URL's fragment.
    var identity: String { line(addressWithoutFragment) }

    /// Whether a text starts like a field, not like a URL.
    static func isField(_ text: some StringProtocol) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let name = text.utf8.prefix { letters.contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
        return !name.isEmpty && text.utf8[name.endIndex...].first == UInt8(ascii: "=")
    }

    /// Applies a field, `name=value`; returns a complaint if it is invalid.
    ///
    /// - Parameter base: The URL to which a mirror may be relative.
    mutating func take(_ field: Substring, relativeTo base: URL? = nil) -> String? {
        guard Self.isField(field), let end = field.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return "invalid field “\(field)”; expected name=value after a tab"
        }
        return set(field[..<end], String(Substring(field.utf8[end...].dropFirst())), relativeTo: base)
    }

    /// Sets or adds the value of a field; returns a complaint if it is invalid.
    mutating func set(_ name: Substring, _ path: String, relativeTo base: URL? = nil) -> String? {
        // Only a path may end with a space.
        let value = String(path.trimmedOfSpaces)
        func invalid(_ value: String, _ demand: String) -> String {
            "invalid field “\(name)=\(value)”; expected \(demand)"
        }
        switch name {
        case "out":
            self.path = RelativePath.components(of: path)
            if self.path == nil { return invalid(path, "the path of a file below the folder") }
        case "checksum":
            checksum = OptionValue.checksum(value)
            if checksum == nil { return invalid(value, OptionValue.checksumForms) }
        case "size":
            size = Int64(value).flatMap { $0 < 0 ? nil : $0 }
            if size == nil { return invalid(value, "a number of bytes") }
        case "group":
            guard (1...255).contains(value.utf8.count) else { return invalid("", "a name of 1 to 255 bytes") }
            group = value
        case "stage":
            guard let number = Int(value), number >= 0 else { return invalid(value, "a number from 0") }
            stage = number
        case "header":
            // Do not quote the value, which may be a secret.
            guard let header = HeaderLine(value) else { return invalid("", "a value such as “Name: value”") }
            headers.append(header)
        case "mirror":
            guard let url = URLText.url(value, relativeTo: base) else {
                return invalid(URLText.shown(value), "an http or https URL")
            }
            mirrors.append(url)
        default: return "unknown field “\(name)”; expected out, checksum, size, group, stage, header or mirror"
        }
        return nil
    }

    /// The checksum as it is written in lists.
    var checksumText: String? {
        checksum.map { $0.name.lowercased().filter { $0 != "-" } + ":" + $0.digits }
    }

    /// The entry as a line of a list.
    var line: String { line(address) }

    private func line(_ address: String) -> String {
        var line = address
        if let path { line += "\tout=" + path.joined(separator: "/") }
        if let checksumText { line += "\tchecksum=\(checksumText)" }
        if let size { line += "\tsize=\(size)" }
        if let group { line += "\tgroup=\(group)" }
        if stage != 0 { line += "\tstage=\(stage)" }
        for header in headers { line += "\theader=\(header.text)" }
        for mirror in mirrors { line += "\tmirror=\(mirror.absoluteString)" }
        return line
    }
}
