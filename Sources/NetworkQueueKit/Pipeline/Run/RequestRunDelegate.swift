import Foundation

/// Receives the events of a ``RequestRun``, answers its questions, and provides its slots.
///
/// Calls for one run are serial, on any thread, and not made under a lock; they must not block. One exception: the
/// thread that pauses a run may report `paused` concurrently with other calls.
protocol RequestRunDelegate: AnyObject, Sendable {
    /// Reports an event.
    ///
    /// After `willRetry` the slot is free for others until ``requestSlot()``.
    func requestDid(_ event: RequestEvent)

    // MARK: Questions

    /// Asks whether to follow a redirect to `target`. The run waits for `answer`, which may be called at once or later,
    /// on any thread.
    func requestWillRedirect(to target: HTTPExchange, answer: @escaping @Sendable (RedirectAnswer) -> Void)
    /// Whether challenges are answered. If not, only known credentials are used.
    var answersChallenges: Bool { get }
    /// Asks for a credential for all requests of this protection space. Only the first answer counts; releasing
    /// `answer` without calling it means “no credential”.
    func requestDidReceive(
        _ challenge: AuthenticationChallenge, answer: @escaping @Sendable (URLCredential?) -> Void)

    // MARK: Slots

    /// Announces that all further attempts go to this mirror and count for its host; `nil` for the request's own URL.
    /// Called before the `willRetry` of the last one.
    func requestWillTurn(to mirror: URL?)
    /// Reports the answer of ``NetworkRequest/freshURL``. All further attempts go to its URL and count for its host.
    func requestDidRenew(_ answer: FreshURLAnswer)
    /// Requests a slot after the wait for a retry. ``RequestRun/resume()`` must be called as soon as there is one.
    func requestSlot()
    /// Holds requests to a host whose server has asked for a pause.
    func hold(_ host: String, for delay: Duration)
    /// Whether an exchange with a host may start now, by the rates of the queue. If not, `begin` is called once it may, on
    /// any thread, unless the run ends or is paused before.
    func mayStartExchange(with host: String?, orLater begin: @escaping @Sendable () -> Void) -> Bool
    /// Lets others have the start of an exchange that came with the slot: the run does not need it now.
    func releaseStart()
    /// Creates a helper that fetches a share of a download; `nil` if there are no slots for it.
    func makeHelper(of split: SplitDownload) -> (any SplitHelper)?
    /// Starts a helper as soon as there is a slot that nothing else waits for.
    func requestSlot(for helper: any SplitHelper)
}
