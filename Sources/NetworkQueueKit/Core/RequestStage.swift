/// What a request is for. All waiting `sizing` requests start before any `transfer`.
enum RequestStage: Int, Sendable, CaseIterable {
    /// Asks for the size of a transfer; not subject to a hold.
    case sizing
    /// The real thing.
    case transfer
}
