import Foundation
import NetworkQueueKit

/// A URL to download, with the fields of its list.
struct ListEntry: Hashable, Sendable {
    private(set) var url: URL
    /// The path below the folder; `nil` if it follows from the URL and the options.
    var path: [String]?
    var checksum: NetworkRequest.Checksum?
    /// The size in bytes.
    var size: Int64?
    var headers: [HeaderLine] = []
    /// Other URLs with the same content.
    var mirrors: [URL] = []

    /// A text that is equal for entries of the same download: the entry's line without the URL's fragment.
    var identity: String {
        var entry = self
        entry.url = url.withoutFragment
        return entry.line
    }

    /// Whether a text starts like a field, not like a URL.
    static func isField(_ text: some StringProtocol) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let name = text.utf8.prefix { letters.contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
        return !name.isEmpty && text.utf8[name.endIndex...].first == UInt8(ascii: "=")
    }

    /// Applies a field, `name=value`; returns a complaint if it is invalid.
    mutating func take(_ field: Substring) -> String? {
        let end = field.utf8.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
        let name = field[..<end]
        // A path may end with a space.
        let path = String(Substring(field.utf8[end...].dropFirst()))
        let value = String(path.trimmedOfSpaces)
        switch name {
        case "out":
            guard let path = RelativePath.components(of: path) else {
                return "invalid field “out=\(path)”; expected the path of a file below the folder"
            }
            self.path = path
        case "checksum":
            guard let checksum = OptionValue.checksum(value) else {
                return "invalid field “checksum=\(value)”; expected \(OptionValue.checksumForms)"
            }
            self.checksum = checksum
        case "size":
            guard let size = Int64(value), size >= 0 else {
                return "invalid field “size=\(value)”; expected a number of bytes"
            }
            self.size = size
        case "header":
            // Do not quote the value, which may be a secret.
            guard let header = HeaderLine(value) else {
                return "invalid field “header=”; expected a value such as “Name: value”"
            }
            headers.append(header)
        case "mirror":
            guard let url = URLText.url(value) else {
                return "invalid field “mirror=\(URLText.shown(value))”; expected an http or https URL"
            }
            mirrors.append(url)
        case _ where Self.isField(field):
            return "unknown field “\(name)”; expected out, checksum, size, header or mirror"
        default: return "invalid field “\(field)”; expected name=value after a tab"
        }
        return nil
    }

    /// The entry as a line of a list.
    var line: String {
        if path == nil, checksum == nil, size == nil, headers.isEmpty, mirrors.isEmpty { return url.absoluteString }
        var fields = [url.absoluteString]
        if let path { fields.append("out=" + path.joined(separator: "/")) }
        if let checksum {
            fields.append("checksum=\(checksum.name.lowercased().replacing("-", with: "")):\(checksum.digits)")
        }
        if let size { fields.append("size=\(size)") }
        fields += headers.map { "header=\($0.text)" }
        fields += mirrors.map { "mirror=\($0.absoluteString)" }
        return fields.joined(separator: "\t")
    }
}

extension URL {
    /// The URL without its fragment, which no server sees.
    var withoutFragment: URL {
        // Check first: parsing a URL for its fragment is slow.
        guard absoluteString.utf8.contains(UInt8(ascii: "#")),
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.fragment = nil
        return parts.url ?? self
    }
}
