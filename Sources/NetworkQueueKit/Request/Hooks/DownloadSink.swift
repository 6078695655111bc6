import Foundation

/// Receives the content of a response chunk by chunk, at its own pace; see ``Destination/sink(_:)``.
///
/// ```text
/// attempt → (abandon → attempt)* → finish | abandon
/// attempt: begin → write*
/// ```
///
/// Calls are serial, also across attempts, and run in a task owned by the library; the exception is ``mayStartOver()``.
/// While a call is in progress the transport is paused: at most a few hundred kilobytes wait in memory (with
/// `URLSessionTransport`, as much as the server sends meanwhile). Calls have no time limit.
///
/// When an attempt fails and no other follows, the sink gets everything that has arrived, then `abandon`, and then the
/// request fails. If another attempt follows, or the operation is canceled, the rest is dropped.
///
/// If `begin`, `write` or `finish` throws, `abandon` is called, and the attempt fails; the retry policy or decider may
/// repeat it. A thrown ``NetworkError`` is reported unchanged, any other error as `.processing`, with it as
/// `underlying`. A sink serves one operation at a time.
public protocol DownloadSink: AnyObject, Sendable {
    /// Begins an attempt: a response has been accepted, and its content follows from the first byte.
    ///
    /// Called again for each further attempt.
    func begin(_ head: ResponseHead) async throws
    /// Receives the next bytes of the content, never empty. They are decoded if decoding was requested.
    func write(_ chunk: Data) async throws
    /// Completes the content, which is whole and has the expected checksum.
    ///
    /// The request succeeds when this method returns. If the operation is canceled first, the task of this call is
    /// canceled and its result is ignored.
    func finish() async throws
    /// Returns whether the content may start over, after a failed attempt that would be retried. `false` fails the
    /// request.
    ///
    /// Called before the next attempt on one of the library's threads, even if the sink has not begun, and must return
    /// at once. ``abandon()`` may be called before, meanwhile or afterwards. Default `true`.
    func mayStartOver() -> Bool
    /// Discards what was written, because the attempt failed or was canceled. If another attempt follows, or the
    /// operation was canceled, the task of a call in progress is canceled first.
    ///
    /// May be called after the operation has ended; the operation's error gives the reason.
    func abandon() async
}

extension DownloadSink {
    /// Does nothing.
    public func begin(_ head: ResponseHead) async throws {}
    /// Does nothing.
    public func finish() async throws {}
    /// Returns `true`.
    public func mayStartOver() -> Bool { true }
    /// Does nothing.
    public func abandon() async {}
}
