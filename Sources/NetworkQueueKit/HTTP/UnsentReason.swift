/// An error beneath a ``NetworkError`` that may mean that the request has not been sent.
protocol UnsentReason: Error {
    /// Whether it means that, so that there is no response to speak of.
    var isUnsent: Bool { get }
}
