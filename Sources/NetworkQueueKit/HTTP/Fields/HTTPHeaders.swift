import Foundation

/// The header fields of a message. Names are case-insensitive; order and duplicates are kept.
///
/// Fields are stored as they are sent, so a response whose headers are not read costs only one allocation.
public struct HTTPHeaders: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field line.
    public struct Field: Sendable, Hashable {
        /// The name, in its original case.
        public var name: String
        /// The value, without surrounding white space.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether both fields have the same bytes.
        public static func == (left: Field, right: Field) -> Bool {
            left.name.equals(bytesOf: right.name) && left.value.equals(bytesOf: right.value)
        }
    }

    /// Lines of the form `name:value\n`, with no white space around the name and the value, and no other line breaks.
    private(set) var lines: [UInt8] = []
    /// The names, as they read back, of fields that were added with a line break or a NUL, or with a colon in the name.
    private var flawedNames: [String] = []
    /// The names of fields that are not added on the caller's behalf; see ``suppress(_:)``.
    public private(set) var suppressedNames: [String] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from names and values, in the given order.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name: name, value: value) }
    }

    /// Whether there are no fields.
    public var isEmpty: Bool { lines.isEmpty }

    /// The size of all fields in bytes.
    var size: Int { lines.count }

    /// The number of fields. O(bytes).
    public var count: Int { lines.lazy.filter { $0 == UInt8(ascii: "\n") }.count }

    /// The value of the field `name`; several values are joined with a comma and a space (RFC 9110, section 5.3).
    ///
    /// `nil` if there is no such field. Setting a value replaces all fields with that name by one; setting `nil`
    /// removes them.
    public subscript(name: String) -> String? {
        get {
            var joined: String?
            forEachLine(named: name) { line in
                // Appended in place: copying the text for each of many equal fields would be quadratic.
                if joined?.append(", " + line.value) == nil { joined = line.value }
                return true
            }
            return joined
        }
        set {
            removeAll(named: name)
            if let newValue { append(name: name, value: newValue) }
        }
    }

    /// Returns the values of all fields called `name`, in order. Use it for fields that must not be joined, such as
    /// `Set-Cookie`.
    public func values(for name: String) -> [String] {
        var values: [String] = []
        forEachLine(named: name) { line in
            values.append(line.value)
            return true
        }
        return values
    }

    /// Returns whether the fields called `name` have the same values, byte for byte and in the same order.
    func hasSameValues(as other: HTTPHeaders, for name: String) -> Bool {
        values(for: name).elementsEqual(other.values(for: name)) { $0.equals(bytesOf: $1) }
    }

    /// Returns the value of the first field called `name` as received; `String` would repair bytes that are not UTF-8.
    func firstValueBytes(for name: String) -> [UInt8]? {
        var value: [UInt8]?
        forEachLine(named: name) { line in
            value = [UInt8](line.valueBytes)
            return false
        }
        return value
    }

    /// Returns the lengths in bytes of the values of the fields called `name`, for at most one field more than `limit`.
    func valueLengths(for name: String, limit: Int) -> [Int] {
        var lengths: [Int] = []
        forEachLine(named: name) { line in
            lengths.append(line.valueBytes.count)
            return lengths.count <= limit
        }
        return lengths
    }

    /// Returns whether there is a field called `name`.
    public func contains(_ name: String) -> Bool {
        var found = false
        forEachLine(named: name) { _ in
            found = true
            return false
        }
        return found
    }

    /// Appends a field.
    ///
    /// Line breaks and NULs in `name` or `value` are replaced by spaces, so that no value can inject another field. A
    /// request with such a field fails with `.malformedRequest`.
    public mutating func append(name: String, value: String) {
        var name = name
        var value = value
        name.withUTF8 { name in
            value.withUTF8 { appendLine(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Keeps the library and its transport from adding a field called `name`, as `-H 'Name:'` does with curl.
    ///
    /// This concerns `User-Agent`, `Accept`, `Accept-Encoding`, `Expect`, the `Content-Type` of a body, cookies from
    /// a storage and `Authorization` from a credential. Without `Range` or one of its conditions a download is not
    /// resumed. A field that is in the list itself is sent all the same. `Host` and the fields that frame the content
    /// are always sent. ``URLSessionTransport`` cannot prevent `URLSession` from adding some fields of its own
    /// (`User-Agent`, `Accept`, `Accept-Encoding`, `Accept-Language`, `Connection`, `Content-Type`): it fails such a
    /// request with ``NetworkError/Code/unsupportedConfiguration``. A name that is not a token fails the request with
    /// `.malformedRequest`.
    public mutating func suppress(_ name: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else { return flawedNames.append(name) }
        if !isSuppressed(name) { suppressedNames.append(name) }
    }

    /// Whether ``suppress(_:)`` was called for the name.
    func isSuppressed(_ name: String) -> Bool {
        !suppressedNames.isEmpty
            && suppressedNames.contains { $0.utf8.lowercasedText.utf8.elementsEqual(name.utf8.lowercasedText.utf8) }
    }

    /// Whether the library may add a field called `name`.
    package func mayGain(_ name: String) -> Bool { !contains(name) && !isSuppressed(name) }

    /// Replaces all fields called `name` by one.
    mutating func set(_ value: String, for name: String) {
        removeAll(named: name)
        append(name: name, value: value)
    }

    /// Removes the fields called `name`.
    public mutating func removeAll(named name: String) {
        guard contains(name) else { return }
        var rest: [UInt8] = []
        var copy = name
        copy.withUTF8 { name in
            forEachLine { bytes in
                if !bytes.isField(name) {
                    rest.append(contentsOf: bytes)
                    rest.append(UInt8(ascii: "\n"))
                }
                return true
            }
        }
        lines = rest
        flawedNames.removeAll { $0.utf8.asciiLowercased == name.utf8.asciiLowercased }
    }

    /// Creates an iterator over the fields, in order.
    public func makeIterator() -> IndexingIterator<[Field]> {
        var fields: [Field] = []
        forEachLine { bytes in
            if let colon = bytes.position(of: UInt8(ascii: ":")) {
                let line = Line(bytes: bytes, colon: colon)
                fields.append(Field(name: line.name, value: line.value))
            }
            return true
        }
        return fields.makeIterator()
    }
}

// MARK: - Bytes

extension HTTPHeaders {
    /// Creates a list from lines in the stored form.
    init(storedLines: UnsafeRawBufferPointer) {
        lines = [UInt8](storedLines)
    }

    private mutating func appendLine(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let start = lines.count
        // Reserve space for the first field at once, instead of growing three times.
        if lines.isEmpty { lines.reserveCapacity(name.count + value.count + 2) }
        appendTrimmed(name)
        lines.append(UInt8(ascii: ":"))
        appendTrimmed(value)
        lines.append(UInt8(ascii: "\n"))
        if name.contains(where: { $0.isForbiddenInValue || $0 == UInt8(ascii: ":") })
            || value.contains(where: \.isForbiddenInValue)
        {
            // The name as it reads back.
            flawedNames.append(String(repairing: lines[start...].prefix { $0 != UInt8(ascii: ":") }))
        }
    }

    private mutating func appendTrimmed(_ bytes: UnsafeRawBufferPointer) {
        let trimmed = bytes.trimmed
        let start = lines.count
        lines.append(contentsOf: trimmed)
        // Scan the source first: unlike an array, a buffer has no bounds and uniqueness checks.
        guard trimmed.contains(where: \.isForbiddenInValue) else { return }
        for index in start..<lines.count where lines[index].isForbiddenInValue { lines[index] = UInt8(ascii: " ") }
    }

    /// The name of a field that must not be sent, because it has a line break or a NUL, or its name is not a token.
    var unsendableName: String? {
        if let name = flawedNames.first { return name }
        if lines.isEmpty { return nil }
        var name: String?
        forEachLine { bytes in
            guard let colon = bytes.position(of: UInt8(ascii: ":")) else { return true }
            if colon == 0 || !bytes[..<colon].allSatisfy(\.isTokenCharacter) {
                name = Line(bytes: bytes, colon: colon).name
            }
            return name == nil
        }
        return name
    }

    /// A view of one stored line.
    struct Line {
        let bytes: UnsafeRawBufferPointer
        let colon: Int

        var name: String { String(repairing: bytes[..<colon]) }
        var value: String { String(repairing: valueBytes) }
        var valueBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)...]) }
    }

    /// Calls `body` for each line with the given name, until it returns `false`.
    private func forEachLine(named name: String, _ body: (Line) -> Bool) {
        var name = name
        name.withUTF8 { name in
            // A name without a colon ends at the first colon of its line.
            guard !name.contains(UInt8(ascii: ":")) else { return }
            forEachLine { bytes in
                guard bytes.isField(name) else { return true }
                return body(Line(bytes: bytes, colon: name.count))
            }
        }
    }

    /// Calls `body` with the bytes of each line, without the line feed, until it returns `false`.
    func forEachLine(_ body: (UnsafeRawBufferPointer) -> Bool) {
        lines.withUnsafeBytes { lines in
            var rest = lines
            while let end = rest.position(of: UInt8(ascii: "\n")) {
                guard body(UnsafeRawBufferPointer(rebasing: rest[..<end])) else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a stored line has the given name, ignoring the case of ASCII letters.
    fileprivate func isField(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count > name.count, self[name.count] == UInt8(ascii: ":") else { return false }
        // Most names have the expected case.
        if let own = baseAddress, let other = name.baseAddress, memcmp(own, other, name.count) == 0 { return true }
        for index in 0..<name.count where self[index].lowercasedASCII != name[index].lowercasedASCII { return false }
        return true
    }

    /// Whether a stored line has the given name, ignoring the case of ASCII letters.
    func isField(_ name: StaticString) -> Bool { name.withUTF8Buffer { isField($0) } }

    /// The bytes without white space, line breaks and NULs at both ends.
    var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { isFieldSpace || isForbiddenInValue }
}

extension Int64 {
    /// Parses ASCII digits, optionally surrounded by white space; `nil` for anything else or for a number that is out
    /// of range.
    init?(digits bytes: UnsafeRawBufferPointer) {
        let digits = bytes.trimmed
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for byte in digits {
            guard byte.isDigit else { return nil }
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            if overflows || carries { return nil }
            number = sum
        }
        self = number
    }
}
