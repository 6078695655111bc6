import NetworkQueueKit

/// Is told what happens to the transfers of a job, one after the other.
protocol JobListener: Sendable {
    func didStart(_ operation: RequestOperation)
    func didReceiveHead(_ head: ResponseHead, of operation: RequestOperation)
    func willRetry(
        _ operation: RequestOperation, after delay: Duration, because failure: JobFailure, attempts: Int
    )
    /// - Parameter wasCurrent: whether the file was there already, and is what the server has.
    func didFinish(_ operation: RequestOperation, wasCurrent: Bool)
    /// - Parameter failure: `nil` where it was cancelled.
    func didFail(_ operation: RequestOperation, _ failure: JobFailure?)
}

extension JobListener {
    func didStart(_ operation: RequestOperation) {}
    func didReceiveHead(_ head: ResponseHead, of operation: RequestOperation) {}
    func willRetry(
        _ operation: RequestOperation, after delay: Duration, because failure: JobFailure, attempts: Int
    ) {}
    func didFinish(_ operation: RequestOperation, wasCurrent: Bool) {}
    func didFail(_ operation: RequestOperation, _ failure: JobFailure?) {}
}
