import Foundation
import NetworkQueueKit

/// What happens to the transfers of a job. The events of one transfer arrive one after the other.
enum JobEvent: Sendable {
    /// A transfer is about to start and has done nothing yet. Told before ``started(_:)``, on any thread.
    case starting(NetworkRequest, id: RequestOperation.ID)
    case started(RequestOperation)
    case head(ResponseHead, of: RequestOperation)
    /// A redirect is being followed. May be told before ``started(_:)``, as may ``challenge(_:for:)``.
    case redirect(NetworkRequest, to: URL, after: ResponseHead)
    /// A server or proxy asks for credentials.
    case challenge(AuthenticationChallenge, for: NetworkRequest)
    case retry(RequestOperation, after: Duration, because: JobFailure, attempts: Int)
    /// - Parameters:
    ///   - wasCurrent: Whether the file already existed and is up to date.
    ///   - bytes: The number of content bytes transferred in all attempts.
    case finished(RequestOperation, wasCurrent: Bool, bytes: Int64)
    /// The failure is `nil` if the transfer was canceled.
    case failed(RequestOperation, JobFailure?, bytes: Int64)
    /// All transfers of a group have ended; more of a list may follow.
    case groupEnded(NetworkQueue.Group, NetworkQueue.Summary)
}

/// Observes the transfers of a job.
protocol JobListener: Sendable { func receive(_ event: JobEvent) }
