/// A stored value that no text shows: `print`, `dump` and mirrors see `<hidden>` in its place.
///
/// A type that stores its secrets this way needs no mirror of its own. Content that may be a password and users' objects, which may
/// keep tokens, are secrets, too; so are URLs, which may have a name and a password, if the type's description has the rest of them.
struct Secret<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    var description: String { "<hidden>" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Sendable where Value: Sendable {}

extension Secret: Equatable where Value: Equatable {}

extension Secret: Hashable where Value: Hashable {}
