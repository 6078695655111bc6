import Foundation
import NetworkQueueKit

enum TransportSecuritySnippets {
    static func makeQueue() throws -> NetworkQueue {
        // snippet: configuration
        var configuration = TransportConfiguration()
        configuration.trustedCertificatesFile = URL(filePath: "/etc/tls/authorities.pem")
        configuration.clientCertificate = ClientCertificate(
            certificateFile: URL(filePath: "/etc/tls/client.pem"), keyFile: URL(filePath: "/etc/tls/client.key"))
        configuration.minTLSVersion = .tls13
        let queue = NetworkQueue(transport: try DefaultTransport.make(configuration))
        // end
        return queue
    }
}
