import Foundation
import NetworkQueueKit

/// Is told what happens to the transfers of a job, one after the other.
protocol JobListener: Sendable {
    /// A transfer begins, and has done nothing yet; comes before ``didStart(_:)``, on any thread.
    func willStart(_ request: NetworkRequest, id: RequestOperation.ID)
    func didStart(_ operation: RequestOperation)
    func didReceiveHead(_ head: ResponseHead, of operation: RequestOperation)
    /// A redirect is followed; may come before ``didStart(_:)``.
    func willRedirect(_ request: NetworkRequest, to url: URL, after head: ResponseHead)
    /// A server or a proxy asks for credentials; may come before ``didStart(_:)``.
    func didReceive(_ challenge: AuthenticationChallenge, for request: NetworkRequest)
    func willRetry(
        _ operation: RequestOperation, after delay: Duration, because failure: JobFailure, attempts: Int
    )
    /// - Parameters:
    ///   - wasCurrent: whether the file was there already, and is what the server has.
    ///   - bytes: how much content has moved, in all attempts.
    func didFinish(_ operation: RequestOperation, wasCurrent: Bool, bytes: Int64)
    /// - Parameter failure: `nil` where it was cancelled.
    func didFail(_ operation: RequestOperation, _ failure: JobFailure?, bytes: Int64)
}

extension JobListener {
    func willStart(_ request: NetworkRequest, id: RequestOperation.ID) {}
    func didStart(_ operation: RequestOperation) {}
    func didReceiveHead(_ head: ResponseHead, of operation: RequestOperation) {}
    func willRedirect(_ request: NetworkRequest, to url: URL, after head: ResponseHead) {}
    func didReceive(_ challenge: AuthenticationChallenge, for request: NetworkRequest) {}
    func willRetry(
        _ operation: RequestOperation, after delay: Duration, because failure: JobFailure, attempts: Int
    ) {}
    func didFinish(_ operation: RequestOperation, wasCurrent: Bool, bytes: Int64) {}
    func didFail(_ operation: RequestOperation, _ failure: JobFailure?, bytes: Int64) {}
}
