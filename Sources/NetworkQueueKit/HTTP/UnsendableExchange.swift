import Foundation

/// Why an exchange must not go on the wire; beneath the `URLError` of a transport that has refused it.
struct UnsendableExchange: Error, LocalizedError {
    /// A sentence for people.
    let reason: String

    var errorDescription: String? { reason }
}
