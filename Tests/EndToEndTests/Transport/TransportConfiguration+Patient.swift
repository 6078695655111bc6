import Foundation
import NetworkQueueKit

extension TransportConfiguration {
    /// Waits longer for a server than any test runs: for tests that are not about its patience.
    ///
    /// All tests are under way at once, so that one may have to wait for its turn, to open a gate for instance, for
    /// longer than the minute that a server usually has. The environment variable `NETWORKQUEUEKIT_TEST_CERTIFICATES`
    /// names the file of certificates to trust where libcurl was built for a system that keeps them elsewhere: without
    /// any it does not begin a handshake.
    static var patient: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.idleTimeout = .seconds(600)
        // Between two requests of a test, too.
        configuration.maxConnectionIdleTime = .seconds(3600)
        let file = ProcessInfo.processInfo.environment["NETWORKQUEUEKIT_TEST_CERTIFICATES"]
        configuration.trustedCertificatesFile = file.map { URL(filePath: $0) }
        return configuration
    }

    /// Waits as long, and trusts a test's own certificate.
    static func patient(trusting certificate: URL?) -> TransportConfiguration {
        var configuration = patient
        configuration.trustedCertificatesFile = certificate
        return configuration
    }
}
