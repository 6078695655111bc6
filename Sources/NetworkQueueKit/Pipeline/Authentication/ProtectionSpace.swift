/// What one credential is for (RFC 9110, section 11.5).
struct ProtectionSpace: Hashable, Sendable {
    /// `nil` for the proxy, of which a transport has one.
    let origin: Origin?
    /// Whose credential it is when a request brings its own; `nil` for the one that the batch shares.
    let owner: String?
    /// `nil` stands for all realms of an origin.
    let realm: String?

    var isProxy: Bool { origin == nil }

    /// The same for all realms.
    var whole: ProtectionSpace { ProtectionSpace(origin: origin, owner: owner, realm: nil) }
}
