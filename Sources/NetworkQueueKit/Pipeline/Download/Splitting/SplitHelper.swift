import Foundation

/// Fetches shares of another operation's download, in a slot of its own.
protocol SplitHelper: AnyObject, Sendable {
    var id: RequestID { get }
    func cancel()
}

extension NetworkError {
    /// Whether the server has refused a request because there were too many.
    var isTooManyRequests: Bool { code == .httpStatus(429) || code == .httpStatus(503) }
}
