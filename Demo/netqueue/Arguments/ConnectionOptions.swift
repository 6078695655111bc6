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

    /// A transport that does all this; the library's own where there is nothing to do.
    ///
    /// Throws what it cannot do, and which file cannot be read.
    func makeTransport(environment: [String: String]) throws(NetworkError) -> any Transport {
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
        return try DefaultTransport.make(configuration)
    }
}

extension ConnectionOptions {
    /// The URL of a proxy; `http` where no scheme is given, as with curl. `nil` where there is no host, or a scheme that no proxy has.
    static func proxy(_ text: String) -> URL? {
        let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        guard let url = URL(string: text.contains("://") ? text : "http://\(text)"),
            schemes.contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false
        else { return nil }
        return url
    }
}
