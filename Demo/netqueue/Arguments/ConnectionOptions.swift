import Foundation
import NetworkQueueKit

/// What the command line says about connections.
struct ConnectionOptions: Hashable, Sendable {
    var userAgent: String?
    var proxy: URL?
    var trustedCertificates: String?
    var certificate: String?
    var key: String?
    /// In seconds.
    var connectTimeout: Double?

    /// Takes an option.
    mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        let text = option.takesValue ? try OptionValue.text(value, of: option) : ""
        switch option {
        case .userAgent: userAgent = text
        case .proxy:
            guard let proxy = Self.proxy(text) else {
                let advice = text.contains("@") ? "; in a password / is written as %2F, @ as %40 and : as %3A" : ""
                throw UsageError(
                    "--proxy is a URL of http, https, socks4, socks4a, socks5 or socks5h with a host" + advice)
            }
            self.proxy = proxy
        case .caFile: trustedCertificates = text
        case .certificate: certificate = text
        case .key: key = text
        case .connectTimeout: connectTimeout = try OptionValue.seconds(text, of: option, in: 0.001...86_400)
        default: break
        }
    }

    /// The URL of a proxy; `http` where no scheme is given, as with curl. `nil` where there is no host, or a scheme
    /// that no proxy has.
    private static func proxy(_ text: String) -> URL? {
        let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        guard let url = URL(string: text.contains("://") ? text : "http://\(text)"),
            schemes.contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false,
            // Else what stands before a slash of the password has been taken for the host.
            text.contains("@") == (url.user != nil)
        else { return nil }
        return url
    }

    /// What the program calls itself in requests.
    var sentUserAgent: String { userAgent ?? "netqueue/\(HelpText.version)" }

    /// The settings of the transport, without those that are files.
    var configuration: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.userAgent = sentUserAgent
        configuration.proxy = proxy
        if let connectTimeout { configuration.connectTimeout = .seconds(connectTimeout) }
        return configuration
    }

    /// A transport that does all this. The error says what cannot be done, and which file cannot be read.
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
            if SystemFile.isSpecial(path) { throw UsageError("\(name): “\(path)” is no regular file") }
        }
        if let authorities {
            configuration.trustedCertificatesFile = URL(filePath: authorities)
            // By itself, so that it is known whose fault it is.
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
        } catch  where error.code == .unsupportedConfiguration && configuration.hasFiles {
            // Not the name that the setting has in the library.
            let reason = (error.underlying as? any LocalizedError)?.errorDescription ?? error.description
            throw UsageError("\(name): \(reason.replacing(", the trustedCertificatesFile,", with: ""))")
        } catch {
            throw UsageError(error.description)
        }
    }
}

extension TransportConfiguration {
    fileprivate var hasFiles: Bool { trustedCertificatesFile != nil || clientCertificate != nil }
}
