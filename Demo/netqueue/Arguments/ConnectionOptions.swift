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
                throw UsageError("--proxy is a URL of http, https, socks4, socks4a, socks5 or socks5h with a host")
            }
            self.proxy = proxy
        case .caFile: trustedCertificates = text
        case .certificate: certificate = text
        case .key: key = text
        case .connectTimeout: connectTimeout = try OptionValue.seconds(text, of: option, in: 0.001...86_400)
        default: break
        }
    }

    /// The URL of a proxy; `http` where no scheme is given, as with curl. `nil` where there is no host, or a scheme that no
    /// proxy has.
    private static func proxy(_ text: String) -> URL? {
        let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        guard let url = URL(string: text.contains("://") ? text : "http://\(text)"),
            schemes.contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false
        else { return nil }
        return url
    }

    /// A transport that does all this. The error says what cannot be done, and which file cannot be read.
    func makeTransport(environment: [String: String]) throws(UsageError) -> any Transport {
        var configuration = TransportConfiguration()
        configuration.userAgent = userAgent ?? "netqueue/\(HelpText.version)"
        configuration.proxy = proxy
        if let connectTimeout { configuration.connectTimeout = .seconds(connectTimeout) }
        let authorities = trustedCertificates ?? environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        configuration.trustedCertificatesFile = authorities.map { URL(filePath: $0) }
        if let certificate {
            configuration.clientCertificate = ClientCertificate(
                certificateFile: URL(filePath: certificate), keyFile: URL(filePath: key ?? certificate))
        }
        do {
            return try DefaultTransport.make(configuration)
        } catch {
            throw UsageError(error.description)
        }
    }
}
