import Foundation

/// The content of a request. It can be sent more than once: on a new connection, after a redirect, in a retry.
public enum RequestBody: Sendable, Hashable {
    /// Bytes in memory.
    case data(Data)
}
