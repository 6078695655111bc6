import NetworkQueueKit

extension TransportConfiguration {
    /// Waits longer for a server than any test runs: for tests that are not about its patience.
    ///
    /// All tests are under way at once, so that one may have to wait for its turn, to open a gate for instance, for longer
    /// than the minute that a server usually has.
    static var patient: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.idleTimeout = .seconds(600)
        return configuration
    }
}
