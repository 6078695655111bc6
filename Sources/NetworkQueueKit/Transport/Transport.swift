import Foundation

/// Performs single HTTP exchanges: one request out, one response in.
///
/// A transport knows nothing of redirects, retries, cookies, authentication policy or files; the library does those the
/// same way on top of every transport. Conform your own type to send requests through something else.
///
/// The contract, which the conformance suite runs against every transport of the library:
/// - `start` returns at once and may be called from any thread, also from inside a receiver's callback.
/// - Calls on one receiver are serial, in this order, and never made while a lock of the transport is held:
///
///       didSend*  →  didReceive(head)?  →  didReceive(body)*  →  didCollect?  →  didComplete
///
///   where `didSend` may repeat until the end.
///
/// - `didComplete` is called exactly once for every `start`, also after `cancel()`, and nothing follows it.
/// - A transport shares nothing between exchanges but connections.
public protocol Transport: Sendable {
    /// Starts one exchange and returns the handle that cancels it.
    func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle
    /// Whether content with a `Content-Encoding` arrives decoded, because what is beneath cannot be kept from that.
    /// Default `false`.
    ///
    /// With `true` the library decodes nothing, and takes the bytes that arrive for those of the wire. What a server
    /// has compressed unasked then reaches files and sinks decoded, where otherwise they get it as it was sent.
    var decodesContent: Bool { get }
}

extension Transport {
    /// `false`: content arrives as it was sent.
    public var decodesContent: Bool { false }
}

/// Controls one exchange.
public protocol ExchangeHandle: AnyObject, Sendable {
    /// Asks for the exchange to end. Returns at once, may be called from any thread and more than once.
    ///
    /// Cancellation is a request, not an outcome: the receiver's `didComplete` tells how the exchange ended,
    /// with `URLError.cancelled` unless it had ended before.
    func cancel()
    /// Goes on with an exchange whose receiver has answered ``ExchangeDisposition/pause``; else nothing happens.
    ///
    /// Returns at once, may be called from any thread, also before that answer has been given: it counts for it.
    func resume()
}

extension ExchangeHandle {
    /// Does nothing, for transports that never hold anything back.
    public func resume() {}
}

/// What a receiver wants to happen next.
public enum ExchangeDisposition: Sendable {
    /// Go on with the exchange.
    case proceed
    /// Go on when the exchange's handle is told to ``ExchangeHandle/resume()``.
    ///
    /// What has been handed over is taken. A transport may have more under way and hand that over first, and the
    /// exchange may end meanwhile. Time spent so does not count as silence of the server's.
    case pause
    /// Stop here: the exchange completes with `URLError.cancelled` and nothing more is received.
    case stop
}

/// Takes the events of one exchange. Calls are serial, on a thread of the transport's choosing, and must not block.
public protocol ExchangeReceiver: AnyObject, Sendable {
    /// Bytes of the request body sent so far, in all. The count starts over when the transport has to send the body
    /// again.
    func exchangeDidSend(totalBytes: Int64)
    /// The head of the final response; interim (1xx) responses are never reported.
    func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition
    /// The next bytes of the body as they came over the wire. `body` is borrowed: it is valid during the call only.
    /// Whatever the answer, they have been taken.
    func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition
    /// What the transport has measured of the exchange, just before its end. A transport that measures nothing does not
    /// call it.
    func exchange(didCollect metrics: ExchangeMetrics)
    /// The end of the exchange; `nil` when the response arrived whole.
    func exchangeDidComplete(error: URLError?)
}

extension ExchangeReceiver {
    /// Does nothing.
    public func exchange(didCollect metrics: ExchangeMetrics) {}
}

/// Limits how fast the content of exchanges moves, in both directions together. An object, as those that share the
/// limit share it.
///
/// Each exchange pays for what it has moved and gets a mark in return: the number of bytes that have to be allowed in
/// all before it may move more. So an exchange that has moved something is queued behind those that have done so
/// before, and a change of the limit moves the whole queue.
///
///     mark = charge(0)                         at the start, and where it was negative
///     wait while delay(until: mark) > 0        before each portion, in either direction
///     mark = charge(count)                     after it
public protocol ExchangePacer: AnyObject, Sendable {
    /// How many bytes to move at a time, at most, so that the exchanges take short turns.
    var portion: Int { get }
    /// Notes bytes that were moved and returns the mark to wait for before anything more is.
    ///
    /// A negative one means that there is no limit. It has to be asked for again before the next portion: there may be
    /// one by then, and all running exchanges are queued for it.
    func charge(_ byteCount: Int) -> Int64
    /// How long to wait before asking again; zero when the mark has been reached.
    func delay(until mark: Int64) -> Duration
}
