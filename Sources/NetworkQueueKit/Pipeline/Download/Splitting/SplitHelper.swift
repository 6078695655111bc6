import Foundation

/// Fetches shares of another operation's download, in a slot of its own.
protocol SplitHelper: AnyObject, Sendable {
    var id: RequestID { get }
    func cancel()
}

/// Stands in for an exchange while helpers fetch the rest and the download has no exchange of its own.
final class HelperWait: ExchangeHandle {
    private let report: Guarded<(@Sendable (URLError?) -> Void)?>

    init(_ report: @escaping @Sendable (URLError?) -> Void) {
        self.report = Guarded(report)
    }

    func cancel() { end(URLError(.cancelled)) }

    func end(_ error: URLError?) {
        report.withLock { $0.take() }?(error)
    }
}

extension NetworkError {
    /// Whether the server has refused a request because there were too many.
    var isTooManyRequests: Bool { code == .httpStatus(429) || code == .httpStatus(503) }
}
