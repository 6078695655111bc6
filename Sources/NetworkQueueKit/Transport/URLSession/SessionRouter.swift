import Foundation

/// The session's delegate, which passes each task's events to its transfer.
///
/// It calls every completion handler even if the transfer has ended, except that of a redirect on Linux.
final class SessionRouter: NSObject, URLSessionDataDelegate, Sendable {
    private let policy: SessionPolicy
    private let serverCheck: ServerCheck?
    private let transfers = Guarded<[Int: SessionTransfer]>([:])

    init(policy: SessionPolicy = .current, serverCheck: ServerCheck? = nil) {
        self.policy = policy
        self.serverCheck = serverCheck
    }

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
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(transfer(task)?.makeBodyStream())
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        transfer(task)?.waitForConnectivity()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The pipeline follows redirects, in the same way for every transport.
        if transfer(task)?.beginRedirect() ?? policy.canAnswerAndCancel { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let method = challenge.protectionSpace.authenticationMethod
        if let serverCheck, method == SessionPolicy.serverTrust {
            let transfer = transfer(task)
            return serverCheck.isRefused(challenge) { isRefused in
                if isRefused { transfer?.refuseServer() }
                completionHandler(isRefused ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
            }
        }
        let answer = policy.answer(toChallenge: method)
        // Deliver the head without content. If the challenge is not canceled, the session delivers the response with
        // its content.
        if answer == .cancelAuthenticationChallenge, let response = challenge.failureResponse as? HTTPURLResponse {
            transfer(task)?.receive(response)
        }
        completionHandler(answer, nil)
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
