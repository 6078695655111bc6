import Foundation

/// Describes the bytes in a part. It is stored beside the part as lines of text:
///
/// ```text
/// NetworkQueueKit part 1
/// url http://example.com/file
/// etag "0123"                        (where known, as are the next four)
/// last-modified Sun, 06 Nov 1994 08:49:37 GMT   (if the date is a strong validator)
/// modified Sun, 06 Nov 1994 08:49:37 GMT
/// total 123456
/// coding gzip                        (of content that is stored as it was sent)
/// have 0-65535 131072-196607         (what is there, where several exchanges have written)
/// boot 5a9f…                         (of the system that is writing the part)
/// synced 65536                       (bytes that have reached the disk)
/// end
/// have 0-131071 196608-262143        (what is there by now; the last of these lines counts)
/// ```
///
/// Until the system restarts, all bytes in the file count as stored, because written bytes survive the end of a
/// process. If there are ranges, they count instead of the file's length. After a system crash neither says anything
/// about the content, so only `synced` counts.
struct Sidecar: Hashable, Sendable {
    private static let firstLine = "NetworkQueueKit part 1"
    private static let lastLine = "end"
    private static let maximumSize = 64 * 1024

    /// The requested URL, before redirects and without user information, or another name from ``PartOwner``.
    var url: String
    var validators: Validators
    /// The size of the whole content as it is stored.
    var total: Int64?
    /// The `Content-Encoding` of the stored bytes; `nil` for none.
    var coding: String?
    /// The stored ranges in ascending order; `nil` if the part has no gaps.
    var ranges: [Range<Int64>]?
    var boot: String
    var synced: Int64

    init(
        url: String, validators: Validators, total: Int64?, coding: String? = nil, boot: String = Self.currentBoot,
        synced: Int64 = 0
    ) {
        self.url = url
        self.validators = validators
        self.total = total
        self.coding = coding
        self.boot = boot
        self.synced = synced
    }

    /// Parses the format of `text`. Fails if the text is truncated, damaged or of another version.
    ///
    /// Works on bytes: `Character` merges a combining accent with the space or line feed before it, and strings with
    /// different bytes can be equal.
    init?(_ text: String) {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        // The text after the last line feed may be an incomplete line.
        guard lines.popFirst()?.elementsEqual(Self.firstLine.utf8) == true, lines.popLast() != nil,
            let end = lines.firstIndex(where: { $0.elementsEqual(Self.lastLine.utf8) })
        else { return nil }
        var fields = Fields()
        for line in lines[..<end] { guard fields.take(line) else { return nil } }
        for line in lines[lines.index(after: end)...] { guard fields.amend(line) else { return nil } }
        guard let url = fields.url, let boot = fields.boot, let synced = fields.synced.flatMap(Self.number)
        else { return nil }
        var modified: Date?
        if let text = fields.modified {
            guard let moment = HTTPDate.fixdate(from: text) else { return nil }
            modified = moment
        }
        validators = Validators(entityTag: fields.etag, date: fields.lastModified, modified: modified)
        guard validators.areUsable else { return nil }
        coding = fields.coding
        if let digits = fields.total {
            guard let total = Self.number(digits) else { return nil }
            self.total = total
        }
        if let text = fields.have {
            guard let ranges = Self.ranges(text, total) else { return nil }
            self.ranges = ranges
        }
        self.url = url
        self.boot = boot
        self.synced = synced
    }

    /// The values of the lines. Each line may occur once.
    private struct Fields {
        var url, etag, lastModified, modified, total, coding, have, boot, synced: String?

        /// Takes one line; returns `false` if it has no name, an unknown one, or one that occurred before.
        mutating func take(_ line: Substring.UTF8View) -> Bool {
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return false }
            let place: WritableKeyPath<Fields, String?>
            switch String(Substring(line[..<space])) {
            case "url": place = \.url
            case "etag": place = \.etag
            case "last-modified": place = \.lastModified
            case "modified": place = \.modified
            case "total": place = \.total
            case "coding": place = \.coding
            case "have": place = \.have
            case "boot": place = \.boot
            case "synced": place = \.synced
            default: return false
            }
            guard self[keyPath: place] == nil else { return false }
            self[keyPath: place] = String(Substring(line[line.index(after: space)...]))
            return true
        }

        /// Takes a line that was appended later; returns `false` unless it is a `have` line.
        mutating func amend(_ line: Substring.UTF8View) -> Bool {
            guard have != nil else { return false }
            have = nil
            return take(line) && have != nil
        }
    }

    static func == (left: Sidecar, right: Sidecar) -> Bool { left.text.equals(bytesOf: right.text) }

    /// Accepts only digits; `Int64` would also accept a sign.
    private static func number(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }

    /// Parses ranges, each written as its first and last byte, in ascending order with gaps between them.
    private static func ranges(_ text: String, _ total: Int64?) -> [Range<Int64>]? {
        var ranges: [Range<Int64>] = []
        if text.isEmpty { return ranges }
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let ends = word.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = number(String(ends[0])), let last = number(String(ends[1])),
                first <= last,
                last < total ?? 0, first > ranges.last?.upperBound ?? -1
            else { return nil }
            ranges.append(first..<last + 1)
        }
        return ranges
    }

    private static func text(_ ranges: [Range<Int64>]) -> String {
        ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: " ")
    }

    /// The line that is appended to the file to report the ranges stored so far.
    static func amendment(_ ranges: [Range<Int64>]) -> String { "have \(text(ranges))\n" }

    /// The content of the sidecar file.
    var text: String {
        let optional = [
            ("etag", validators.entityTag), ("last-modified", validators.date),
            ("modified", validators.modified.map(HTTPDate.text)), ("total", total.map(String.init)), ("coding", coding),
            ("have", ranges.map(Self.text)),
        ]
        let lines = optional.map { name, value in value.map { "\(name) \($0)\n" } ?? "" }.joined()
        return "\(Self.firstLine)\nurl \(url)\n\(lines)boot \(boot)\nsynced \(synced)\n\(Self.lastLine)\n"
    }

    /// The number of bytes at the beginning of a part of `length` bytes that are certain to be as received.
    func trustedLength(of length: Int64) -> Int64 {
        guard isOfThisBoot else { return min(synced, length) }
        return ranges.map { $0.first?.lowerBound == 0 ? min($0[0].upperBound, length) : 0 } ?? length
    }

    /// The start of the first range after the beginning that is certain to be stored; `nil` if there is none.
    var trustedRest: Int64? {
        guard isOfThisBoot, let ranges else { return nil }
        return ranges.first { $0.lowerBound > 0 }?.lowerBound
    }

    /// Cuts off ranges that lie beyond the end of the part.
    mutating func cutRanges(to length: Int64) {
        ranges = ranges?.filter { $0.lowerBound < length }.map { $0.clamped(to: 0..<length) }
    }

    private var isOfThisBoot: Bool { boot == Self.currentBoot && boot != Self.unknownBoot }

    /// Reads the file at `path`; `nil` if it is missing, malformed, or belongs to another user.
    ///
    /// - Throws: `.resourceShortage`; nothing else.
    static func read(_ path: String) throws(NetworkError) -> Sidecar? {
        guard POSIXFile.status(path)?.isOwnFile == true else { return nil }
        let descriptor = POSIXFile.open(path, O_RDONLY | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if POSIXFile.isShortage(errno) { throw .fileSystem(errno, path: path) }
            return nil
        }
        defer { close(descriptor) }
        // The opened file may not be the one that was checked.
        guard POSIXFile.status(descriptor)?.isOwnFile == true else { return nil }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return Sidecar(String(decoding: bytes[..<count], as: UTF8.self))
    }

    static let unknownBoot = "unknown"

    /// Identifies the current boot of the system.
    static let currentBoot = SystemBoot.id ?? unknownBoot
}

/// Identifies a state of a resource by its entity tag and its date (RFC 9110, section 8.8).
struct Validators: Hashable, Sendable {
    /// The `ETag` field as received. A weak or malformed tag can prove only that two states differ, not that they are
    /// equal.
    private(set) var entityTag: String?
    /// The `Last-Modified` field as received; `nil` unless the date is a strong validator.
    private(set) var date: String?
    /// The modification date in whole seconds, even if ``date`` is `nil`.
    private(set) var modified: Date?

    /// - Parameters:
    ///   - date: a `Last-Modified` field that is a strong validator.
    ///   - modified: the modification date; `nil` to take it from `date`.
    init(entityTag: String? = nil, date: String? = nil, modified: Date? = nil) {
        self.entityTag = entityTag
        self.date = date
        self.modified = modified ?? date.flatMap { HTTPDate.date(from: $0) }
    }

    /// The validators of a response that arrived at `now`.
    ///
    /// A date is strong only if it is at least a second older than the response, because the resource may change twice
    /// within a second (RFC 9110, section 8.8.2.2).
    init(_ headers: HTTPHeaders, now: Date = Date()) {
        entityTag = headers["ETag"]
        guard let text = headers["Last-Modified"], let moment = HTTPDate.date(from: text, now: now) else { return }
        modified = moment
        let responseTime = headers["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        if responseTime.timeIntervalSince(moment) >= 1 { date = text }
    }

    /// Whether a part in this state can be continued.
    var areUsable: Bool { strongTag != nil || date != nil }

    private var strongTag: String? { entityTag.flatMap { Self.isStrongTag($0) ? $0 : nil } }

    /// Makes an exchange conditional on this state and returns the name of the field that it uses.
    ///
    /// If the tag is weak or malformed, the date goes into `If-Unmodified-Since`: Tomcat 10.1 and Jetty 9.4 compare
    /// `If-Range` only with their tag, and WEBrick 1.8 answers 304 to an `If-Range` that matches.
    func addCondition(to headers: inout HTTPHeaders) -> String? {
        guard let value = strongTag ?? date else { return nil }
        let name = strongTag == nil && entityTag != nil ? "If-Unmodified-Since" : "If-Range"
        headers[name] = value
        return name
    }

    /// Whether a response certainly describes the same state: both sides know at least one strong validator, and all
    /// those that both know agree. A tag that only the response has counts as a difference.
    ///
    /// One match is not enough if both know two validators: Tornado 6.6 keeps its tag when the file changes.
    func match(_ headers: HTTPHeaders) -> Bool {
        let other = Validators(headers)
        if let tag = other.entityTag {
            guard let entityTag, Self.haveSameOpaqueTag(entityTag, tag) else { return false }
        }
        if let modified, let moment = other.modified, modified != moment { return false }
        return hasStrongTag(of: headers) || date != nil && other.modified != nil
    }

    /// Whether a response has the same strong tag, regardless of its other fields.
    func hasStrongTag(of headers: HTTPHeaders) -> Bool { strongTag.map { Self.isSame(headers["ETag"], $0) } ?? false }

    /// Compares byte by byte (RFC 9110, section 8.8.3.2), because strings with different bytes can be equal.
    private static func isSame(_ text: String?, _ other: String) -> Bool {
        text.equals(bytesOf: other)
    }

    private static func haveSameOpaqueTag(_ tag: String, _ other: String) -> Bool {
        func opaque(_ tag: String) -> Substring.UTF8View {
            tag.utf8.starts(with: "W/".utf8) ? tag.utf8.dropFirst(2) : tag.utf8[...]
        }
        return opaque(tag).elementsEqual(opaque(other))
    }

    static func isStrongTag(_ tag: String) -> Bool {
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        // Decoding has replaced bytes that are not UTF-8: two such tags may have differed, and the server would not get
        // its own tag back.
        guard !tag.unicodeScalars.contains("\u{FFFD}") else { return false }
        return !bytes.dropFirst().dropLast().contains { $0 == UInt8(ascii: "\"") || $0 <= 0x20 || $0 == 0x7f }
    }
}
