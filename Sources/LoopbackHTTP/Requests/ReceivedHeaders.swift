import NetworkQueueKit

/// Header fields in the order they were sent, duplicates included. Names compare case-insensitively.
public struct ReceivedHeaders: Sendable, Hashable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name as it was sent.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// Creates a field without validating it, so that a test can send invalid ones.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Whether both fields have the same bytes.
        public static func == (left: Field, right: Field) -> Bool {
            left.name.equals(bytesOf: right.name) && left.value.equals(bytesOf: right.value)
        }
    }

    /// The fields in order.
    public var fields: [Field]

    /// Creates headers from fields; empty by default.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The first value of a field name. Setting a value replaces all fields of that name; `nil` removes them. O(n).
    public subscript(name: String) -> String? {
        get { fields.first { ReceivedHeaders.isSame($0.name, name) }?.value }
        set {
            fields.removeAll { ReceivedHeaders.isSame($0.name, name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// All values of a field name, in order. O(n).
    public func values(for name: String) -> [String] {
        fields.filter { ReceivedHeaders.isSame($0.name, name) }.map(\.value)
    }

    /// Appends a field and keeps others of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Whether two ASCII names are equal, ignoring case.
    static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.utf8, right.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && (0x61...0x7A).contains($0 | 0x20)) }
    }
}

extension ReceivedHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from a literal such as `["Vary": "A", "Vary": "B"]`; duplicates are kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}

extension ReceivedHeaders: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { fields.startIndex }
    /// The number of fields, duplicates included.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}
