import Foundation
import NetworkQueueKit

extension Options {
    /// The User-Agent to send.
    var sentUserAgent: String { userAgent ?? "netqueue/\(HelpText.version)" }

    /// The transport's settings, without those that are files.
    var transportConfiguration: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.userAgent = sentUserAgent
        configuration.proxy = proxy
        if let connectTimeout { configuration.connectTimeout = .seconds(connectTimeout) }
        return configuration
    }

    /// Creates the transport. The error names the option that cannot be honored or the file that cannot be read.
    func makeTransport() throws(UsageError) -> any Transport {
        var configuration = transportConfiguration
        let variable = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        let authorities = trustedCertificates ?? variable
        let files = [
            (trustedCertificates == nil ? "SSL_CERT_FILE" : "--cacert", authorities), ("--cert", certificate),
            ("--key", key),
        ]
        for case (let name, let path?) in files {
            if let error = POSIXFile.obstacle(to: path) {
                throw UsageError("\(name): “\(path)” cannot be read: \(error.reason)")
            }
            if POSIXFile.isSpecial(path) { throw UsageError("\(name): “\(path)” is not a regular file") }
        }
        if let authorities {
            configuration.trustedCertificatesFile = URL(filePath: authorities)
            // Try this setting alone first, so that an error names the right option.
            _ = try make(configuration, for: files[0].0)
        }
        if let certificate {
            configuration.clientCertificate = ClientCertificate(
                certificateFile: URL(filePath: certificate), keyFile: URL(filePath: key ?? certificate))
        }
        return try make(configuration, for: key == nil ? "--cert" : "--cert and --key")
    }

    private func make(_ configuration: TransportConfiguration, for name: String) throws(UsageError) -> any Transport {
        do {
            return try DefaultTransport.make(configuration)
        } catch {
            let fault = error.underlying as? UnsupportedConfiguration
            let reason = fault?.reason ?? error.localizedDescription
            // Not the name that the setting has in the library.
            if fault?.subject != nil { throw UsageError("\(name): \(reason.withoutPeriod)") }
            throw UsageError(reason.clause)
        }
    }
}
