import Foundation
import NetworkQueueKit

enum TransportSecuritySnippets {
    static func makeQueue() throws -> NetworkQueue {
        // snippet: configuration
        var configuration = TransportConfiguration()
        configuration.trustedCertificatesFile = URL(filePath: "/etc/company/authorities.pem")
        configuration.clientCertificate = ClientCertificate(
            certificateFile: URL(filePath: "/etc/company/client.pem"), keyFile: URL(filePath: "/etc/company/client.key")
        )
        configuration.minTLSVersion = .tls13
        let queue = NetworkQueue(transport: try DefaultTransport.make(configuration))
        // end
        return queue
    }
}
