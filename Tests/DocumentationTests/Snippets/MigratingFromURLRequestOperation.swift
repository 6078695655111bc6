import Foundation
import NetworkQueueKit

enum MigratingFromURLRequestOperationSnippets {
    static func run(
        _ url: URL, to file: URL, sign: @escaping @Sendable (URLRequest) throws -> URLRequest,
        show: @escaping @Sendable (URL?, NetworkError?) -> Void
    ) {
        // snippet: signed
        var download = NetworkRequest.download(url, to: file, onConflict: .overwrite)
        download.adapters = [.adapter { request, _ in try sign(request) }]
        download.retryPolicy = RetryPolicy(
            maxRetries: 5, backoff: .table([.seconds(1), .seconds(3), .seconds(60), .seconds(3600), .seconds(21600)]),
            earlyRetryTriggers: [HostRecoveryObserver.shared, NetworkReachabilityObserver.shared])
        let operation = RequestOperation(download)
        operation.completionHandler = { [unowned operation] _, _, error in show(operation.fileURL, error) }
        OperationQueue.main.addOperation(operation)
        // end
    }
}
