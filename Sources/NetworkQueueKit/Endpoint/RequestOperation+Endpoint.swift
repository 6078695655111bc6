import Foundation

extension RequestOperation {
    /// The endpoint that the operation runs; `nil` where it was made from a request.
    ///
    /// With it requests can be told apart by what they are for, also by a protocol of your own:
    /// `queue.requests.filter { $0.endpoint is any NotesEndpoint }`.
    public var endpoint: (any Endpoint)? {
        guard let parser = request.processors.last as? EndpointParser else { return nil }
        return parser.endpoint
    }
}

/// When an operation has run. Its duration is measured on a monotonic clock, its end on the system's; the start follows
/// from both.
extension RequestOperation {
    /// When the operation started; `nil` before, and when it never did.
    public var startDate: Date? {
        guard let duration else { return nil }
        return (endDate ?? .now).addingTimeInterval(-duration.seconds)
    }

    /// When the operation ended; `nil` before.
    public var endDate: Date? { state.withLock { $0.answer.result }?.endDate }

    /// How long the operation has run so far, or has run in all; `nil` before its start, and when it never started.
    ///
    /// Waiting for a retry is part of it, waiting in a queue before the start is not.
    public var duration: Duration? {
        let (run, result) = state.withLock { ($0.run, $0.answer.result) }
        return result?.metrics?.duration ?? run?.elapsed
    }
}
