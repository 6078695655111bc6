import Foundation
import NetworkQueueKit

/// The options that concern connections.
struct ConnectionOptions: Hashable, Sendable {
    var userAgent: String?
    var proxy: URL?
    var trustedCertificates: String?
    var certificate: String?
    var key: String?
    /// In seconds.
    var connectTimeout: Double?

    /// Applies an option.
    mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        let text = option.takesValue ? try OptionValue.text(value, of: option) : ""
        switch option {
        case .userAgent: userAgent = text
        case .proxy:
            guard let proxy = Self.proxy(text) else {
                let advice = text.contains(byte: "@") ? "; in a password, write / as %2F, @ as %40 and : as %3A" : ""
                throw UsageError(
                    "--proxy must be an http, https, socks4, socks4a, socks5 or socks5h URL with a host" + advice)
            }
            self.proxy = proxy
        case .caFile: trustedCertificates = text
        case .certificate: certificate = text
        case .key: key = text
        case .connectTimeout: connectTimeout = try OptionValue.seconds(text, of: option, in: 0.001...86_400)
        default: break
        }
    }

    /// The URL of a proxy, with `http` as the default scheme, as in curl. `nil` without a host or with a scheme that is
    /// not a proxy's.
    private static func proxy(_ text: String) -> URL? {
        let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        guard let url = URL(string: text.index(afterBytesOf: "://") != nil ? text : "http://\(text)"),
            schemes.contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false,
            // If there is an @ but no user, an unescaped slash in the password has ended the host early.
            text.contains(byte: "@") == (url.user != nil)
        else { return nil }
        return url
    }

    /// The User-Agent to send.
    var sentUserAgent: String { userAgent ?? "netqueue/\(HelpText.version)" }

    /// The transport's settings, without those that are files.
    var configuration: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.userAgent = sentUserAgent
        configuration.proxy = proxy
        if let connectTimeout { configuration.connectTimeout = .seconds(connectTimeout) }
        return configuration
    }

    /// Creates the transport. The error names the option that cannot be honored or the file that cannot be read.
    func makeTransport(environment: [String: String]) throws(UsageError) -> any Transport {
        var configuration = configuration
        let variable = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        let authorities = trustedCertificates ?? variable
        let files = [
            (trustedCertificates == nil ? "SSL_CERT_FILE" : "--cacert", authorities), ("--cert", certificate),
            ("--key", key),
        ]
        for case (let name, let path?) in files {
            if let error = SystemFile.obstacle(to: path) {
                throw UsageError("\(name): “\(path)” cannot be read: \(error.reason)")
            }
            if SystemFile.isSpecial(path) { throw UsageError("\(name): “\(path)” is not a regular file") }
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
            let reason = (error.underlying as? any LocalizedError)?.errorDescription ?? error.localizedDescription
            let isAboutFile = ["trustedCertificatesFile ", "Client certificate "].contains(where: reason.hasPrefix)
            guard isAboutFile, let file = reason.firstIndex(of: "“") else {
                throw UsageError(reason.prefix(1).lowercased() + reason.dropFirst().asComplaint)
            }
            // Not the name that the setting has in the library.
            throw UsageError("\(name): \(reason[file...].asComplaint)")
        }
    }
}

extension StringProtocol {
    /// The sentence without the period.
    fileprivate var asComplaint: String { String(hasSuffix(".") ? self[...].dropLast() : self[...]) }
}
