// From RequestQueue
import Foundation
import NetworkQueueKit

func loadThumbnails(_ urls: [URL], show: @escaping @Sendable (URL, Data) -> Void) -> RequestQueue {
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
    return queue
}
