import Foundation

/// The header fields of a message: names compare without case, order and duplicates are kept.
///
/// Fields are stored as they come over the wire, so a response whose headers are not read costs one allocation.
public struct HTTPHeaders: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field line.
    public struct Field: Sendable, Hashable {
        /// The field's name as it was given.
        public var name: String
        /// The field's value without the white space around it.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Lines of the form `name:value\n`, without white space around name and value, and with no other line break.
    private(set) var lines: [UInt8] = []
    /// The names, as they read back, of fields that were given with a line break or a NUL, or with a colon in the name.
    private var flawedNames: [String] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from names and values, in the order given.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name: name, value: value) }
    }

    /// Whether there is no field.
    public var isEmpty: Bool { lines.isEmpty }

    /// How many bytes the fields have together.
    var size: Int { lines.count }

    /// How many fields there are. O(bytes).
    public var count: Int { lines.lazy.filter { $0 == UInt8(ascii: "\n") }.count }

    /// The value of the fields called `name`, joined by a comma and a space when there are several (RFC 9110, section
    /// 5.3); `nil` when there is no such field. Setting replaces them all by one field, or removes them.
    public subscript(name: String) -> String? {
        get {
            var joined: String?
            forEachLine(named: name) { line in
                // In place: copied for each of many equal fields, the text would cost their square.
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

    /// The values of all fields called `name`, in order; for fields that must not be joined, such as `Set-Cookie`.
    public func values(for name: String) -> [String] {
        var values: [String] = []
        forEachLine(named: name) { line in
            values.append(line.value)
            return true
        }
        return values
    }

    /// The value of the first field called `name` as it came over the wire, where `String` would repair what is not
    /// UTF-8.
    func firstValueBytes(for name: String) -> [UInt8]? {
        var value: [UInt8]?
        forEachLine(named: name) { line in
            value = [UInt8](line.valueBytes)
            return false
        }
        return value
    }

    /// How many bytes the values of the fields called `name` have; of no more fields than one above `limit`.
    func valueLengths(for name: String, limit: Int) -> [Int] {
        var lengths: [Int] = []
        forEachLine(named: name) { line in
            lengths.append(line.valueBytes.count)
            return lengths.count <= limit
        }
        return lengths
    }

    /// Whether there is a field called `name`.
    public func contains(_ name: String) -> Bool {
        var found = false
        forEachLine(named: name) { _ in
            found = true
            return false
        }
        return found
    }

    /// Adds a field behind the others.
    ///
    /// Line breaks and NULs in `name` or `value` become spaces, so a field can never smuggle in another or hide its
    /// end, and a request that has such a field fails with `.malformedRequest`.
    public mutating func append(name: String, value: String) {
        var name = name
        var value = value
        name.withUTF8 { name in
            value.withUTF8 { appendLine(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Replaces all fields of that name by one.
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
        flawedNames.removeAll { $0.utf8.lowercasedText == name.utf8.lowercasedText }
    }

    /// Iterates over the fields in order.
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
    /// Creates a list from lines in the form in which they are kept.
    init(storedLines: UnsafeRawBufferPointer) {
        lines = [UInt8](storedLines)
    }

    private mutating func appendLine(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let start = lines.count
        // Room for the first field at once, in place of three growing allocations.
        if lines.isEmpty { lines.reserveCapacity(name.count + value.count + 2) }
        appendTrimmed(name)
        lines.append(UInt8(ascii: ":"))
        appendTrimmed(value)
        lines.append(UInt8(ascii: "\n"))
        if name.contains(where: { $0.isForbiddenInValue || $0 == UInt8(ascii: ":") })
            || value.contains(where: \.isForbiddenInValue)
        {
            // As it reads back.
            flawedNames.append(String(repairing: lines[start...].prefix { $0 != UInt8(ascii: ":") }))
        }
    }

    private mutating func appendTrimmed(_ bytes: UnsafeRawBufferPointer) {
        let trimmed = bytes.trimmed
        let start = lines.count
        lines.append(contentsOf: trimmed)
        // One look at the source, which is not an array whose bounds and owner are checked each time.
        guard trimmed.contains(where: \.isForbiddenInValue) else { return }
        for index in start..<lines.count where lines[index].isForbiddenInValue { lines[index] = UInt8(ascii: " ") }
    }

    /// The name of a field that must not be sent: it has a line break or a NUL, or its name is not a token.
    var unsendableName: String? {
        if let name = flawedNames.first { return name }
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

    /// Calls `body` for each line of that name until it returns `false`.
    private func forEachLine(named name: String, _ body: (Line) -> Bool) {
        var name = name
        name.withUTF8 { name in
            // Then the one that stands behind so many bytes is the first, if they are the name.
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
    /// Whether a stored line has that name, whatever the case of ASCII letters.
    fileprivate func isField(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count > name.count, self[name.count] == UInt8(ascii: ":") else { return false }
        // Most are written as they are asked for.
        if let own = baseAddress, let other = name.baseAddress, memcmp(own, other, name.count) == 0 { return true }
        for index in 0..<name.count where self[index].lowercasedASCII != name[index].lowercasedASCII { return false }
        return true
    }

    /// The same.
    func isField(_ name: StaticString) -> Bool { name.withUTF8Buffer { isField($0) } }

    /// The bytes without the white space, line breaks and NULs at both ends.
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
    /// The number that ASCII digits stand for, with white space around them; `nil` for anything else or beyond the
    /// range.
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
