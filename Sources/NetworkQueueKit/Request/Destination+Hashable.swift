extension Destination: Hashable {
    /// Sinks are equal when they are the same object.
    public static func == (left: Destination, right: Destination) -> Bool {
        switch (left, right) {
        case (.memory, .memory), (.discard, .discard): true
        case (.file(let url, let policy, let resume), .file(let otherURL, let otherPolicy, let otherResume)):
            url == otherURL && policy == otherPolicy && resume == otherResume
        case (.sink(let sink), .sink(let other)): sink === other
        case (.memory, _), (.discard, _), (.file, _), (.sink, _): false
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .memory: hasher.combine(0)
        case .discard: hasher.combine(1)
        case .file(let url, let policy, let resume):
            hasher.combine(url)
            hasher.combine(policy)
            hasher.combine(resume)
        case .sink(let sink): hasher.combine(ObjectIdentifier(sink))
        }
    }
}
