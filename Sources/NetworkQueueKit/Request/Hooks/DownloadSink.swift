import Foundation

/// Takes the content of a response piece by piece, at its own speed; see ``Destination/sink(_:)``.
///
///     attempt → (abandon → attempt)* → finish | abandon
///     attempt: begin → write*
///
/// The calls are serial, also across attempts, in a task of the library's. While one of them has not returned the next
/// does not come, and the transport is held back: no more than a few hundred kilobytes wait in memory (with
/// `URLSessionTransport` as much as the server sends meanwhile). There is no time limit for a call.
///
/// An error thrown by `begin`, `write` or `finish` fails the request with `.processing` and the error beneath, and
/// `abandon` follows. A sink serves one operation at a time.
public protocol DownloadSink: AnyObject, Sendable {
    /// An attempt has got a response that counts as a success; its content follows from the first byte.
    ///
    /// Called again for each further attempt.
    func begin(_ head: ResponseHead) async throws
    /// The next bytes of the content, decoded where that was asked for, never empty.
    func write(_ chunk: Data) async throws
    /// The content has ended and is whole, and has the expected checksum. When this has returned the request succeeds,
    /// unless it was cancelled meanwhile: then the task of this call is, and what it returns counts for nothing.
    func finish() async throws
    /// An attempt has failed, and another is about to follow it: may the content begin anew? Otherwise the request
    /// fails. Returns at once; called on a thread of the library's, before ``abandon()``. Default `true`.
    func mayStartOver() -> Bool
    /// The attempt has failed or was cancelled; what was written is of no use. The task of a call under way is
    /// cancelled first.
    ///
    /// May come after the operation's own end, whose error tells the reason.
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
