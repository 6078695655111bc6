import Foundation

/// Performs single HTTP exchanges: one request out, one response in.
///
/// A transport does not handle redirects, retries, cookies, authentication policy or files; the library does so in the
/// same way for every transport. Conform your own type to send requests by other means.
///
/// The conformance suite tests this contract with every transport of the library:
/// - `start` returns at once and may be called from any thread, including from a receiver's callback.
/// - Calls to one receiver are serial, in this order, and never made while the transport holds a lock:
///
///   ```text
///   didSend*  →  didReceive(head)?  →  didReceive(body)*  →  didCollect?  →  didComplete
///   ```
///
///   `didSend` may be repeated until the end.
///
/// - `didComplete` is called exactly once for every `start`, even after `cancel()`, and is the last call.
/// - Exchanges of a transport share nothing but connections.
public protocol Transport: Sendable {
    /// Starts one exchange and returns the handle that cancels it.
    func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle
    /// Whether content with a `Content-Encoding` arrives decoded, because the underlying system always decodes it.
    /// Default `false`.
    ///
    /// If `true`, the library decodes nothing, and counts the bytes that arrive as the bytes on the wire. Content that
    /// a server has compressed unasked then reaches files and sinks decoded; otherwise they get it as it was sent.
    var decodesContent: Bool { get }
}

extension Transport {
    /// `false`: content arrives as it was sent.
    public var decodesContent: Bool { false }
}

/// Controls one exchange.
public protocol ExchangeHandle: AnyObject, Sendable {
    /// Requests the end of the exchange. Returns at once; can be called from any thread and more than once.
    ///
    /// Cancellation is a request, not an outcome: `didComplete` tells the receiver how the exchange ended, with
    /// `URLError.cancelled` unless it had already ended.
    func cancel()
    /// Pauses the exchange as if its receiver had returned ``ExchangeDisposition/pause`` now, even if nothing arrives.
    ///
    /// Returns at once; can be called from any thread and more than once. Calls of `pause()` and `resume()` take effect
    /// in the order in which they were made.
    func pause()
    /// Continues an exchange that is paused, by ``pause()`` or because its receiver has returned
    /// ``ExchangeDisposition/pause``; otherwise does nothing.
    ///
    /// Returns at once; can be called from any thread. A call that comes before the receiver has returned `pause` ends
    /// that pause.
    func resume()
}

extension ExchangeHandle {
    /// Does nothing. The receiver of a paused request returns ``ExchangeDisposition/pause`` for the content that
    /// arrives next; until then the transport may take a silent server for one that has gone.
    public func pause() {}
    /// Does nothing, for transports that never pause an exchange.
    public func resume() {}
}

/// A receiver's decision about how an exchange continues.
public enum ExchangeDisposition: Sendable {
    /// Continue the exchange.
    case proceed
    /// Pause the exchange until ``ExchangeHandle/resume()`` is called.
    ///
    /// The bytes of this call count as taken. A transport may deliver more that it already has, and the exchange may
    /// end during the pause. The pause does not count as silence of the server, from its beginning on: nothing more has
    /// to arrive for that.
    case pause
    /// Stop here: the exchange completes with `URLError.cancelled` and nothing more is received.
    case stop
}

/// Receives the events of one exchange. Calls are serial, on a thread that the transport chooses, and must not block.
public protocol ExchangeReceiver: AnyObject, Sendable {
    /// Reports the total number of body bytes sent so far. The count starts over if the transport has to send the body
    /// again.
    func exchangeDidSend(totalBytes: Int64)
    /// Reports the head of the final response. Interim (1xx) responses are never reported.
    func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition
    /// Delivers the next bytes of the body as they came over the wire. `body` is valid only during the call. The bytes
    /// count as taken, whatever this returns.
    func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition
    /// Reports the transport's measurements just before the end of the exchange. A transport without measurements does
    /// not call it.
    func exchange(didCollect metrics: ExchangeMetrics)
    /// Reports the end of the exchange; `error` is `nil` if the response is complete.
    func exchangeDidComplete(error: URLError?)
}

extension ExchangeReceiver {
    /// Ignores the measurements.
    public func exchange(didCollect metrics: ExchangeMetrics) {}
}

/// Limits the combined speed of exchanges in both directions. A class, because the exchanges share the limit.
///
/// Each exchange reports the bytes that it has moved and gets a mark: the total number of bytes that must be allowed
/// before it may move more. An exchange that has just moved bytes therefore waits behind those that moved some before,
/// and a change of the limit affects the whole queue.
///
/// ```text
/// mark = charge(0)                         at the start, and where it was negative
/// wait while delay(until: mark) > 0        before each portion, in either direction
/// mark = charge(count)                     after it
/// ```
public protocol ExchangePacer: AnyObject, Sendable {
    /// The maximum number of bytes to move at a time, so that exchanges take short turns.
    var portion: Int { get }
    /// Notes bytes that were moved; returns the mark to wait for before more may be moved.
    ///
    /// A negative mark means that there is no limit at present. Ask for a mark again before the next portion: there may
    /// be a limit by then, and all running exchanges are queued for it.
    func charge(_ byteCount: Int) -> Int64
    /// The time to wait before asking again; zero if the mark has been reached.
    func delay(until mark: Int64) -> Duration
}
