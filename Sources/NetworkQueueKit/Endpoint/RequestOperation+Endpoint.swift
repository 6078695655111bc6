import Foundation

extension RequestOperation {
    /// The endpoint that the operation runs; `nil` if the operation was created from a request.
    ///
    /// Use it to find requests by their purpose, also by a protocol of your own:
    /// `queue.requests.filter { $0.endpoint is any NotesEndpoint }`.
    public var endpoint: (any Endpoint)? {
        guard let parser = request.processors.last as? EndpointParser else { return nil }
        return parser.endpoint
    }
}

/// The time at which an operation ran. The duration is measured with a monotonic clock and the end with the system
/// clock; the start is computed from both.
extension RequestOperation {
    /// When the operation started; `nil` if it has not started.
    public var startDate: Date? {
        guard let duration else { return nil }
        return (endDate ?? .now).addingTimeInterval(-duration.seconds)
    }

    /// When the operation ended; `nil` before that.
    public var endDate: Date? { state.withLock { $0.answer.result }?.endDate }

    /// How long the operation has been running, or ran in total; `nil` if it has not started.
    ///
    /// Waits for a retry are included; the wait in a queue before the start is not.
    public var duration: Duration? {
        let (run, result) = state.withLock { ($0.run, $0.answer.result) }
        return result?.metrics?.duration ?? run?.elapsed
    }
}
