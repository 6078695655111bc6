/// An error beneath a ``NetworkError`` that may mean that the request has not been sent.
protocol UnsentReason: Error {
    /// Whether the request has not been sent, so that there cannot be a response.
    var isUnsent: Bool { get }
}
