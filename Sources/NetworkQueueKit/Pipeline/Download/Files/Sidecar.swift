import Foundation

/// What is known about the bytes in a part: the file beside it, as lines of text.
///
///     NetworkQueueKit part 1
///     url http://example.com/file
///     etag "0123"                        (where known, as are the next four)
///     last-modified Sun, 06 Nov 1994 08:49:37 GMT   (if the date is a strong validator)
///     modified Sun, 06 Nov 1994 08:49:37 GMT
///     total 123456
///     coding gzip                        (of content that is stored as it was sent)
///     have 0-65535 131072-196607         (what is there, where several exchanges have written)
///     boot 5a9f…                         (of the system that is writing the part)
///     synced 65536                       (bytes that have reached the disk)
///     end
///     have 0-131071 196608-262143        (what is there by now; the last of these lines counts)
///
/// While the system runs that was writing it, a part is as long as its file is: the end of a process loses nothing that
/// was written; where there are ranges, they tell it instead. After a crash of the system neither says anything about the
/// content, so only `synced` counts.
struct Sidecar: Hashable, Sendable {
    private static let firstLine = "NetworkQueueKit part 1"
    private static let lastLine = "end"
    private static let maximumSize = 64 * 1024

    /// The URL that was asked for, before redirects, without user information.
    var url: String
    var validators: Validators
    /// The size of the whole, as it is stored.
    var total: Int64?
    /// The `Content-Encoding` of the stored bytes; `nil` for none.
    var coding: String?
    /// What is there, in order; `nil` where that is all of the part.
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

    /// Reads what `text` writes; `nil` for anything that is cut, damaged or of another version.
    ///
    /// By bytes: to `Character` a combining accent is one with the space or line feed before it, and strings are equal
    /// whose bytes differ.
    init?(_ text: String) {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        // What follows the last line feed may be the beginning of a line.
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

    /// The values of the lines, each of which may stand there once.
    private struct Fields {
        var url, etag, lastModified, modified, total, coding, have, boot, synced: String?

        /// Takes one line; returns `false` when it has no name, an unknown one, or one that was there before.
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

        /// Takes a line that has been added later; returns `false` for anything else.
        mutating func amend(_ line: Substring.UTF8View) -> Bool {
            guard have != nil else { return false }
            have = nil
            return take(line) && have != nil
        }
    }

    /// Digits alone: `Int64` would take a sign as well.
    private static func number(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }

    /// Ranges as they are written: first and last byte of each, in order and with something between them.
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

    /// The line that tells, behind the file's content, what is there by now.
    static func amendment(_ ranges: [Range<Int64>]) -> String { "have \(text(ranges))\n" }

    /// The file's content.
    var text: String {
        let optional = [
            ("etag", validators.entityTag), ("last-modified", validators.date),
            ("modified", validators.modified.map(HTTPDate.text)), ("total", total.map(String.init)), ("coding", coding),
            ("have", ranges.map(Self.text)),
        ]
        let lines = optional.map { name, value in value.map { "\(name) \($0)\n" } ?? "" }.joined()
        return "\(Self.firstLine)\nurl \(url)\n\(lines)boot \(boot)\nsynced \(synced)\n\(Self.lastLine)\n"
    }

    /// How many bytes at the beginning of a part of `length` bytes are certain to be what was received.
    func trustedLength(of length: Int64) -> Int64 {
        guard isOfThisBoot else { return min(synced, length) }
        return ranges.map { $0.first?.lowerBound == 0 ? min($0[0].upperBound, length) : 0 } ?? length
    }

    /// Where the first of the bytes begins that are certain to be there behind the beginning; `nil` if there are none.
    var trustedRest: Int64? {
        guard isOfThisBoot, let ranges else { return nil }
        return ranges.first { $0.lowerBound > 0 }?.lowerBound
    }

    /// Takes back what cannot be there, since the part is shorter.
    mutating func cutRanges(to length: Int64) {
        ranges = ranges?.filter { $0.lowerBound < length }.map { $0.clamped(to: 0..<length) }
    }

    private var isOfThisBoot: Bool { boot == Self.currentBoot && boot != Self.unknownBoot }

    /// Reads the file at `path`; `nil` when it is missing, does not make sense, or belongs to another user.
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
        // What has been opened may be another file than what has been looked at.
        guard POSIXFile.status(descriptor)?.isOwnFile == true else { return nil }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return Sidecar(String(decoding: bytes[..<count], as: UTF8.self))
    }

    static let unknownBoot = "unknown"

    /// Tells this run of the system from those before.
    static let currentBoot = SystemBoot.id ?? unknownBoot
}

/// What tells one state of a resource from any other: its entity tag and its date (RFC 9110, section 8.8).
struct Validators: Hashable, Sendable {
    /// The `ETag` field as received. A weak or malformed tag cannot prove that two states are the same, only that they
    /// differ.
    private(set) var entityTag: String?
    /// The `Last-Modified` field as received; `nil` unless the date is a strong validator.
    private(set) var date: String?
    /// When the resource was last modified, in whole seconds, also where ``date`` is `nil`.
    private(set) var modified: Date?

    /// - Parameters:
    ///   - date: a `Last-Modified` field that is a strong validator.
    ///   - modified: `nil` means the moment that `date` names.
    init(entityTag: String? = nil, date: String? = nil, modified: Date? = nil) {
        self.entityTag = entityTag
        self.date = date
        self.modified = modified ?? date.flatMap { HTTPDate.date(from: $0) }
    }

    /// The validators of a response that arrived at `now`.
    ///
    /// A date is strong only if it is at least a second older than the response: within that second the resource may
    /// have changed twice (RFC 9110, section 8.8.2.2).
    init(_ headers: HTTPHeaders, now: Date = Date()) {
        entityTag = headers["ETag"]
        guard let text = headers["Last-Modified"], let moment = HTTPDate.date(from: text, now: now) else { return }
        modified = moment
        let responseTime = headers["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        if responseTime.timeIntervalSince(moment) >= 1 { date = text }
    }

    /// Whether a part of this state can be continued at all.
    var areUsable: Bool { strongTag != nil || date != nil }

    private var strongTag: String? { entityTag.flatMap { Self.isStrongTag($0) ? $0 : nil } }

    /// Makes an exchange ask for a part of this state alone; returns the name of the field that says so.
    ///
    /// Beside a weak or malformed tag the date goes into `If-Unmodified-Since`: Tomcat 10.1 and Jetty 9.4 compare
    /// `If-Range` with their tag only, and WEBrick 1.8 answers 304 to an `If-Range` that is right.
    func addCondition(to headers: inout HTTPHeaders) -> String? {
        guard let value = strongTag ?? date else { return nil }
        let name = strongTag == nil && entityTag != nil ? "If-Unmodified-Since" : "If-Range"
        headers[name] = value
        return name
    }

    /// Whether a response is certain to be about the same state: at least one strong validator is known to both sides,
    /// and all that both know agree. A tag that has come to be sent meanwhile speaks against it.
    ///
    /// One is not enough where two are known: Tornado 6.6 keeps its tag when the file changes.
    func match(_ headers: HTTPHeaders) -> Bool {
        let other = Validators(headers)
        if let tag = other.entityTag {
            guard let entityTag, Self.haveSameOpaqueTag(entityTag, tag) else { return false }
        }
        if let modified, let moment = other.modified, modified != moment { return false }
        return hasStrongTag(of: headers) || date != nil && other.modified != nil
    }

    /// Whether a response has the same strong tag, whatever else it says.
    func hasStrongTag(of headers: HTTPHeaders) -> Bool { strongTag.map { Self.isSame(headers["ETag"], $0) } ?? false }

    /// Compares byte by byte (RFC 9110, section 8.8.3.2): strings that only look the same are equal as well.
    private static func isSame(_ text: String?, _ other: String) -> Bool {
        text?.utf8.elementsEqual(other.utf8) == true
    }

    private static func haveSameOpaqueTag(_ tag: String, _ other: String) -> Bool {
        func opaque(_ tag: String) -> Substring.UTF8View {
            tag.hasPrefix("W/") ? tag.dropFirst(2).utf8 : Substring(tag).utf8
        }
        return opaque(tag).elementsEqual(opaque(other))
    }

    static func isStrongTag(_ tag: String) -> Bool {
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        // Bytes that are not UTF-8 are not known any more: two such tags may differ, and the server would not get its
        // own back.
        guard !tag.unicodeScalars.contains("\u{FFFD}") else { return false }
        return !bytes.dropFirst().dropLast().contains { $0 == UInt8(ascii: "\"") || $0 <= 0x20 || $0 == 0x7f }
    }
}
