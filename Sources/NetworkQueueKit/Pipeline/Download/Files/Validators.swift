import Foundation

/// What tells one state of a resource from any other: its entity tag and its date (RFC 9110, section 8.8).
struct Validators: Hashable, Sendable {
    /// The `ETag` field as received. A weak or malformed tag cannot prove that two states are the same, only that they differ.
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
    /// A date is strong only if it is at least a second older than the response: within that second the resource may have changed
    /// twice (RFC 9110, section 8.8.2.2).
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
    /// Beside a weak or malformed tag the date goes into `If-Unmodified-Since`: Tomcat 10.1 and Jetty 9.4 compare `If-Range` with
    /// their tag only, and WEBrick 1.8 answers 304 to an `If-Range` that is right.
    func addCondition(to headers: inout HTTPHeaders) -> String? {
        guard let value = strongTag ?? date else { return nil }
        let name = strongTag == nil && entityTag != nil ? "If-Unmodified-Since" : "If-Range"
        headers[name] = value
        return name
    }

    /// Whether a response is certain to be about the same state: at least one strong validator is known to both sides, and all that
    /// both know agree. A tag that has come to be sent meanwhile speaks against it.
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
        // Bytes that are not UTF-8 are not known any more: two such tags may differ, and the server would not get its own back.
        guard !tag.unicodeScalars.contains("\u{FFFD}") else { return false }
        return !bytes.dropFirst().dropLast().contains { $0 == UInt8(ascii: "\"") || $0 <= 0x20 || $0 == 0x7f }
    }
}
