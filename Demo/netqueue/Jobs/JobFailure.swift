import Dashboard

/// A download that has failed, and why.
struct JobFailure: Hashable, Sendable {
    /// The URL, or where the line that should have been one stands.
    let source: String
    let reason: String

    /// One line for the screen.
    var text: String { "\(source): \(reason)".withoutControls().fitting(.current) }

    /// The same with the program's name, for the standard error.
    var logLine: String { "netqueue: \(text)" }
}
