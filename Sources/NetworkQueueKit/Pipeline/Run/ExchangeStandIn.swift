import Foundation

/// Stands in for an exchange while a run waits with its slot: for helpers, or for its turn by a rate. So the machine
/// sees an exchange, which a cancellation or a pause ends.
final class ExchangeStandIn: ExchangeHandle {
    private let report: Guarded<(@Sendable (URLError?) -> Void)?>

    init(_ report: @escaping @Sendable (URLError?) -> Void) {
        self.report = Guarded(report)
    }

    func cancel() { end(URLError(.cancelled)) }

    func end(_ error: URLError?) {
        report.withLock { $0.take() }?(error)
    }
}
