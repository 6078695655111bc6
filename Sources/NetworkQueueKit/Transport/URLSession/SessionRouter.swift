import Foundation

/// The session's delegate: hands each task's events to its transfer.
final class SessionRouter: NSObject, URLSessionDataDelegate, Sendable {
    private let transfers = Guarded<[Int: SessionTransfer]>([:])

    func add(_ transfer: SessionTransfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(_ task: URLSessionTask) -> SessionTransfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { transfer(dataTask)?.receive(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(task)?.reportSent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Redirects are the pipeline's, the same on every transport. On Linux, a task that has been cancelled
        // must not be answered.
        if transfer(task)?.beginRedirect() == true { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // The 401 itself is the response; only the judgement of certificates is Foundation's.
        let method = challenge.protectionSpace.authenticationMethod
        let isAboutTrust = method == "NSURLAuthenticationMethodServerTrust"
        if !isAboutTrust, let response = challenge.failureResponse as? HTTPURLResponse {
            transfer(task)?.receive(response)
        }
        completionHandler(isAboutTrust ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
    }

    #if !canImport(FoundationNetworking)
        // Not run on Linux, whose Foundation measures nothing.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            guard let transaction = metrics.transactionMetrics.last else { return }
            transfer(task)?.setMetrics(ExchangeMetrics(transaction))
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.complete(error, response: task.response as? HTTPURLResponse)
    }
}
