import Foundation
import NetworkQueueKit

/// A list of checksums as written by `sha256sum` and similar tools or their BSD counterparts: each line has a hash and
/// a file name.
///
///     9f86d081…  disks/a.iso            text, as GNU has it
///     9f86d081… *b.iso                  binary
///     9f86d081… b.iso                   with one space, as `md5 -r` of BSD has it
///     SHA256 (b.iso) = 9f86d081…        BSD
///     \9f86d081…  a\nname               a name with `\n`, `\r` or `\\` in it
///
/// Each line may have a different form. The number of digits determines the algorithm. Blank lines, lines that start
/// with `#` and the lines of a PGP signature are skipped.
struct ChecksumList {
    /// A valid line.
    struct Line: Hashable {
        let place: String
        /// The components of the file's name, without `.`.
        let name: [String]
        let checksum: NetworkRequest.Checksum
    }

    private(set) var lines: [Line] = []
    /// The invalid lines, each with what is wrong with it.
    private(set) var badLines: [(place: String, reason: String)] = []

    /// Reads a file.
    init(contentsOf path: String) throws(POSIXError) {
        self.init(text: String(bytes: try SystemFile.read(path)), name: path)
    }

    /// Parses a text; `name` is used in messages.
    init(text: String, name: String) {
        // Whether the line is part of a signature, or of the header above the signed text.
        var (isSignature, isArmorHead) = (false, false)
        for (index, line) in text.listLines.enumerated() {
            let line = line.last == "\r" ? line.dropLast() : line
            if line.hasPrefix("-----BEGIN PGP SIGNED") { isArmorHead = true }
            if line.hasPrefix("-----BEGIN PGP SIGNATURE") { isSignature = true }
            let isSkipped = isSignature || isArmorHead || line.trimmedOfSpaces.isEmpty || line.first == "#"
            if line.hasPrefix("-----END PGP SIGNATURE") { isSignature = false }
            if line.isEmpty { isArmorHead = false }
            if isSkipped { continue }
            let place = "\(name):\(index + 1)"
            if let (file, checksum) = Self.parts(line) {
                let components = Self.components(file)
                lines.append(Line(place: place, name: components, checksum: checksum))
            } else {
                badLines.append((place, "expected a checksum and a file name; got “\(line.prefix(80))”"))
            }
        }
    }

    /// The components of a path that distinguish one file from another.
    static func components(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map(String.init)
    }

    private static func parts(_ line: Substring) -> (name: String, checksum: NetworkRequest.Checksum)? {
        let isEscaped = line.first == "\\"
        let line = isEscaped ? line.dropFirst() : line
        guard let written = tagged(line) ?? plain(line) else { return nil }
        let name = isEscaped ? unescaped(written.name) : String(written.name)
        guard let name, !components(name).isEmpty else { return nil }
        return (name, written.checksum)
    }

    /// Parses a hash and a white space, followed by a space, an asterisk or nothing, and the name.
    private static func plain(_ line: Substring) -> (name: Substring, checksum: NetworkRequest.Checksum)? {
        let digits = line.prefix { $0.isHexDigit && $0.isASCII }
        let hashes = [32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"]
        guard let hash = hashes[digits.utf8.count], let checksum = OptionValue.checksum(named: hash, String(digits))
        else { return nil }
        var rest = line[digits.endIndex...]
        guard let space = rest.popFirst(), space == " " || space == "\t" else { return nil }
        if let mark = rest.first, mark == " " || mark == "*" { rest.removeFirst() }
        return (rest, checksum)
    }

    /// Parses `SHA256 (name) = hash`; OpenSSL omits the spaces. The name may contain parentheses.
    private static func tagged(_ line: Substring) -> (name: Substring, checksum: NetworkRequest.Checksum)? {
        guard let match = line.wholeMatch(of: /([A-Za-z0-9\-]+) ?\((.+)\) ?= ?([0-9A-Fa-f]+) */),
            let checksum = OptionValue.checksum(named: match.1, String(match.3))
        else { return nil }
        return (match.2, checksum)
    }

    /// Decodes the escapes in a name; returns `nil` for an unknown escape.
    private static func unescaped(_ name: Substring) -> String? {
        var result = ""
        var rest = name
        while let character = rest.popFirst() {
            guard character == "\\" else {
                result.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "\\": result.append("\\")
            default: return nil
            }
        }
        return result
    }
}
