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

    /// The most invalid lines that are reported, each of which takes memory: a server may have sent the list.
    private static let mostFaults = 10_000

    private(set) var lines: [Line] = []
    /// The invalid lines.
    private(set) var badLines: [JobFailure] = []

    /// The checksum of a list that has nothing else, or the name `-` with it: of a single file.
    private(set) var bare: NetworkRequest.Checksum?

    /// Parses a text; `name` is used in messages.
    init(text: String, name: String) {
        // Whether the line is part of a signature, or of the header above the signed text.
        var (isSignature, isArmorHead) = (false, false)
        var bareLines: [(place: String, checksum: NetworkRequest.Checksum)] = []
        for (index, line) in text.listLines.enumerated() {
            let line = line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line
            if line.starts(withBytesOf: "-----BEGIN PGP SIGNED") { isArmorHead = true }
            if line.starts(withBytesOf: "-----BEGIN PGP SIGNATURE") { isSignature = true }
            let isBlank = line.trimmedOfSpaces.isEmpty
            let isSkipped = isSignature || isArmorHead || isBlank || line.utf8.first == UInt8(ascii: "#")
            if line.starts(withBytesOf: "-----END PGP SIGNATURE") { isSignature = false }
            if line.isEmpty { isArmorHead = false }
            if isSkipped { continue }
            let place = "\(name):\(index + 1)"
            if badLines.count + bareLines.count >= Self.mostFaults {
                badLines.append(
                    Self.failure(
                        place, "more than \(Self.mostFaults) lines are invalid; the rest of the list is not read"))
                break
            }
            if let checksum = Self.bare(line) {
                bareLines.append((place, checksum))
            } else if let (file, checksum) = Self.parts(line) {
                let components = Self.components(file)
                lines.append(Line(place: place, name: components, checksum: checksum))
            } else {
                badLines.append(
                    Self.failure(place, "expected a checksum and a file name; got “\(line.prefix(80))”"))
            }
        }
        if lines.isEmpty, bareLines.count == 1 {
            bare = bareLines[0].checksum
        } else {
            badLines += bareLines.map { Self.failure($0.place, "expected a file name after the checksum") }
        }
    }

    static func failure(_ place: String, _ reason: String) -> JobFailure {
        JobFailure(source: place, reason: reason, kind: "invalid checksum line", code: .line)
    }

    /// A line for a file, as `sha256sum` writes it.
    static func line(_ name: String, _ checksum: NetworkRequest.Checksum) -> String {
        let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\n": "\\n", "\r": "\\r"]
        let mark = name.unicodeScalars.contains { escapes[$0] != nil } ? "\\" : ""
        let written = name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
        let line = mark + "\(checksum.digits)  " + written
        // A hyphen or blanks alone are no name.
        return bare(line[...]) == nil ? line : "\(checksum.digits)  ./" + written
    }

    /// The checksum of a line without a file name. `sha256sum` writes `-` for the standard input.
    private static func bare(_ line: Substring) -> NetworkRequest.Checksum? {
        let words = line.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let digits = words.first, words.count == 1 || words.count == 2 && words[1].elementsEqual("-".utf8) else {
            return nil
        }
        return checksum(Substring(digits))
    }

    /// The checksum that has as many digits.
    private static func checksum(_ digits: Substring) -> NetworkRequest.Checksum? {
        let hashes = [32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"]
        guard digits.utf8.allSatisfy(\.isHexadecimal), let hash = hashes[digits.utf8.count] else { return nil }
        return OptionValue.checksum(named: hash, String(digits))
    }

    /// The components of a path that distinguish one file from another.
    static func components(_ path: String) -> [String] {
        path.parts(separatedBy: "/").map(String.init).filter { !$0.isEmpty && $0 != "." }
    }

    private static func parts(_ line: Substring) -> (name: String, checksum: NetworkRequest.Checksum)? {
        var line = line
        let isEscaped = line.skip(byte: "\\")
        guard let written = tagged(line) ?? plain(line) else { return nil }
        let name = isEscaped ? unescaped(written.name) : String(written.name)
        guard let name, !components(name).isEmpty else { return nil }
        return (name, written.checksum)
    }

    /// Parses a hash and a white space, followed by a space, an asterisk or nothing, and the name.
    private static func plain(_ line: Substring) -> (name: Substring, checksum: NetworkRequest.Checksum)? {
        let digits = Substring(line.utf8.prefix(while: \.isHexadecimal))
        guard let checksum = checksum(digits) else { return nil }
        var rest = line[digits.endIndex...]
        guard rest.skip(byte: " ") || rest.skip(byte: "\t") else { return nil }
        _ = rest.skip(byte: " ") || rest.skip(byte: "*")
        return (rest, checksum)
    }

    /// Parses `SHA256 (name) = hash`; OpenSSL omits the spaces. The name may contain parentheses.
    private static func tagged(_ line: Substring) -> (name: Substring, checksum: NetworkRequest.Checksum)? {
        let kind = Substring(line.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "(") })
        var rest = line[kind.endIndex...]
        _ = rest.skip(byte: " ")
        // The digits follow the last parenthesis.
        guard rest.skip(byte: "("), let end = rest.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        var digits = Substring(rest.utf8[end...].dropFirst())
        _ = digits.skip(byte: " ")
        guard end != rest.startIndex, digits.skip(byte: "=") else { return nil }
        _ = digits.skip(byte: " ")
        guard let checksum = OptionValue.checksum(named: kind, String(digits.trimmedOfSpaces)) else { return nil }
        return (rest[..<end], checksum)
    }

    /// Decodes the escapes in a name; returns `nil` for an unknown escape.
    private static func unescaped(_ name: Substring) -> String? {
        let values = ["\\n": "\n", "\\r": "\r", "\\\\": "\\"]
        let escape = /(?s)\\.?/.matchingSemantics(.unicodeScalar)
        guard name.matches(of: escape).allSatisfy({ values[String($0.0)] != nil }) else { return nil }
        return String(name.replacing(escape) { values[String($0.0)] ?? "" })
    }
}
