/// Header fields in the order they were sent, duplicates kept; names compare without regard to case.
public struct ReceivedHeaders: Sendable, Hashable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name, spelled as it was sent.
        public var name: String
        /// The value, without the white space around it.
        public var value: String

        /// Makes a field; nothing is checked, so that a test can send what is wrong.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in order.
    public var fields: [Field]

    /// Makes headers of fields; by default there are none.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The first value under a name. Setting replaces all of that name, `nil` removes them. O(n).
    public subscript(name: String) -> String? {
        get { fields.first { ReceivedHeaders.isSame($0.name, name) }?.value }
        set {
            fields.removeAll { ReceivedHeaders.isSame($0.name, name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// All values under a name, in order. O(n).
    public func values(for name: String) -> [String] {
        fields.filter { ReceivedHeaders.isSame($0.name, name) }.map(\.value)
    }

    /// Appends a field and leaves others of the same name alone.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Whether two ASCII names are equal but for case.
    static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.utf8, right.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && (0x61...0x7A).contains($0 | 0x20)) }
    }
}

extension ReceivedHeaders: ExpressibleByDictionaryLiteral {
    /// Makes headers of a literal such as `["Vary": "A", "Vary": "B"]`; duplicates stay.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}

extension ReceivedHeaders: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { fields.startIndex }
    /// The number of fields, duplicates included.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}
