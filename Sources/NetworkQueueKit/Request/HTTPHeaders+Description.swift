extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private static let secretNames: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
    ]

    /// The fields, one a line, without the values of those that carry credentials.
    public var description: String {
        texts.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// The same as `description`, in brackets.
    public var debugDescription: String {
        "[" + texts.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "]"
    }

    /// What `dump` shows: the same.
    public var customMirror: Mirror {
        Mirror(self, children: texts.map { ($0.name, $0.value as Any) }, displayStyle: .dictionary)
    }

    private var texts: [Field] {
        map { Self.secretNames.contains($0.name.lowercased()) ? Field(name: $0.name, value: "<hidden>") : $0 }
    }
}
