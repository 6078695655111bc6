/// What a trigger is told about a wait for a retry.
public struct RetryWaitContext: Sendable {
    /// The host of the request, in lower case; empty when its URL has none.
    public let host: String
    /// Why the attempt failed.
    public let error: NetworkError

    /// Creates a context.
    public init(host: String, error: NetworkError) {
        self.host = host
        self.error = error
    }
}
