import Foundation
import NetworkQueueKit

enum TransportsSnippets {
    static func makeQueue() throws -> NetworkQueue {
        // snippet: configuration
        var configuration = TransportConfiguration()
        configuration.connectTimeout = .seconds(5)
        configuration.proxy = URL(string: "socks5://127.0.0.1:1080")
        let queue = NetworkQueue(transport: try DefaultTransport.make(configuration))
        // end
        return queue
    }
}
