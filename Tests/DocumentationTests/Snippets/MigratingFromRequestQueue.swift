import Foundation
import NetworkQueueKit

enum MigratingFromRequestQueueSnippets {
    static func loadThumbnails(_ urls: [URL], show: @escaping @Sendable (URL, Data) -> Void) -> RequestQueue {
        // snippet: thumbnails
        var configuration = RequestQueue.Configuration()
        configuration.mode = .lastInFirstOut
        configuration.callbackQueue = .main
        let queue = RequestQueue(configuration: configuration)
        for url in urls {
            let operation = RequestOperation(request: URLRequest(url: url))
            operation.autoRetry = true
            operation.completionHandler = { _, data, error in
                if error?.code == .cancelled { return }
                if let data { show(url, data) }
            }
            queue.add(operation)
        }
        // end
        return queue
    }
}
