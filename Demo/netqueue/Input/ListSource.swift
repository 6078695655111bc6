import Dashboard
import Foundation
import NetworkQueueKit

/// Where a list comes from. What a server has sent is text of that server, not of the user.
struct ListSource: Hashable, Sendable {
    /// The list's URL after redirects, without user name and password; `nil` for a list of the user.
    var url: URL?
    /// Whether each line is a JSON object.
    var isJSON = false

    /// The form of a list follows from its first visible byte.
    init(url: URL? = nil, content: some Collection<UInt8> = []) {
        self.url = url
        isJSON = content.firstVisible == UInt8(ascii: "{")
    }

    /// The fields that only the user may set, because servers trust them.
    private static let reserved = ["authorization", "cookie", "host", "proxy-authorization"]

    /// The reason why an entry may not be in such a list; `nil` if it may.
    func fault(in entry: ListEntry) -> String? {
        guard let url else { return nil }
        if let header = entry.headers.first(where: { Self.reserved.contains($0.name.lowercased()) }) {
            return "a list from a server may not set “\(header.name)”"
        }
        if let name = entry.path?.first(where: { $0.withoutControls() != $0 }) {
            return "a list from a server may not name “\(name)”, which has control characters"
        }
        let isInsecure = { (address: String) in address.utf8.starts(with: "http:".utf8) }
        guard !isInsecure(url.absoluteString),
            let other = ([entry.address] + entry.mirrors.map(\.absoluteString)).first(where: isInsecure)
        else { return nil }
        return "a list that came by https may not name “\(URLText.shown(other))”, which is http"
    }

    /// The lines of an invalid entry with absolute URLs, so that they mean the same in another list.
    func absolute(_ lines: String) -> String {
        guard let url else { return lines }
        if isJSON { return JSONLine.absolute(lines, relativeTo: url) }
        return lines.parts(separatedBy: "\n").map(absolute(line:)).joined(separator: "\n")
    }

    private func absolute(line: Substring) -> String {
        let pieces = line.tabSeparated.map(\.withoutIndent)
        guard let first = pieces.first, first.utf8.first != UInt8(ascii: "#") else { return String(line) }
        let isOfFields = line.isIndented && ListEntry.isField(first)
        let texts = pieces.enumerated().map { index, piece in
            let field = "mirror="
            if index == 0, !isOfFields { return absolute(piece) }
            guard piece.starts(withBytesOf: field) else { return String(piece) }
            return field + absolute(Substring(piece.utf8.dropFirst(field.utf8.count)).trimmedOfSpaces)
        }
        return (isOfFields ? "  " : "") + texts.joined(separator: "\t")
    }

    private func absolute(_ text: Substring) -> String {
        URLText.url(String(text), relativeTo: url)?.absoluteString ?? String(text)
    }
}
