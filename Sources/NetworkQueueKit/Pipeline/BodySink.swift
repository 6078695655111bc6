import Foundation

/// Takes the content of an accepted response. Belongs to the lock of its `RequestRun`, which makes it `Sendable`.
///
///     write* → finish | abandon | discard
protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes; `.pause` means that it wants no more until it calls for it.
    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition
    /// Puts the whole content in its place and tells how that went, once, at once or later on another thread. Nothing follows,
    /// and no lock is held.
    func finish(_ report: @escaping @Sendable (Result<DeliveredContent, NetworkError>) -> Void)
    /// Gives up because no more content comes. What a later attempt can continue stays. Nothing follows.
    func abandon()
    /// Throws away what has been written, as it is of no use. Nothing follows.
    func discard()
}

/// Where content has gone.
struct DeliveredContent: Sendable {
    var data: Data?
    var fileURL: URL?
}
