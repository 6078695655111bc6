import Foundation

/// What a transport cannot do of what its configuration asks for; beneath a ``NetworkError`` with
/// ``NetworkError/Code/unsupportedConfiguration``.
struct UnsupportedConfiguration: Error, LocalizedError {
    /// A sentence or two for people: which value, why not, and what to do.
    let reason: String

    var errorDescription: String? { reason }
}

extension NetworkError {
    /// The error for a configuration that cannot be honoured.
    static func unsupported(_ reason: String) -> NetworkError {
        NetworkError(.unsupportedConfiguration, underlying: UnsupportedConfiguration(reason: reason))
    }
}
