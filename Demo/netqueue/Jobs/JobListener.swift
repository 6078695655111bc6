import Foundation
import NetworkQueueKit

/// Observes the transfers of a job. Events of one transfer arrive one after the other.
protocol JobListener: Sendable {
    /// A transfer is about to start and has done nothing yet. Called before ``didStart(_:)``, on any thread.
    func willStart(_ request: NetworkRequest, id: RequestOperation.ID)
    func didStart(_ operation: RequestOperation)
    func didReceiveHead(_ head: ResponseHead, of operation: RequestOperation)
    /// A redirect is being followed. May be called before ``didStart(_:)``.
    func willRedirect(_ request: NetworkRequest, to url: URL, after head: ResponseHead)
    /// A server or proxy asks for credentials. May be called before ``didStart(_:)``.
    func didReceive(_ challenge: AuthenticationChallenge, for request: NetworkRequest)
    func willRetry(
        _ operation: RequestOperation, after delay: Duration, because failure: JobFailure, attempts: Int
    )
    /// - Parameters:
    ///   - wasCurrent: Whether the file already existed and is up to date.
    ///   - bytes: The number of content bytes transferred in all attempts.
    func didFinish(_ operation: RequestOperation, wasCurrent: Bool, bytes: Int64)
    /// - Parameter failure: The failure; `nil` if the transfer was canceled.
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
