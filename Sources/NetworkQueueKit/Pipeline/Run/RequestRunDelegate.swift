import Foundation

/// What a ``RequestRun`` needs from outside. It is told what happens, asked what is not for the pipeline to decide, and
/// gives slots.
///
/// Calls for one run are serial, made on whatever thread it happens, under no lock, and must not block. Only that it is
/// paused may be told by the thread that pauses it, beside the others.
protocol RequestRunDelegate: AnyObject, Sendable {
    /// Something has happened.
    ///
    /// With `willRetry` the slot is free for others until ``requestSlot()``.
    func requestDid(_ event: RequestEvent)

    // MARK: Questions

    /// The response leads to `target`; the run waits for `answer`, which may be called at once or later, on any thread.
    func requestWillRedirect(to target: HTTPExchange, answer: @escaping @Sendable (RedirectAnswer) -> Void)
    /// Whether challenges are answered. Else only credentials that are known already are used.
    var answersChallenges: Bool { get }
    /// A credential is needed for all requests of this protection space. Answers given after the first count for
    /// nothing, and letting go of `answer` is one, too.
    func requestDidReceive(
        _ challenge: AuthenticationChallenge, answer: @escaping @Sendable (URLCredential?) -> Void)

    // MARK: Slots

    /// The attempts from now on go to this URL, and count for its host. Comes before the `willRetry` of the last one.
    func requestWillTurn(to mirror: URL)
    /// The wait for a retry is over: ``RequestRun/resume()`` is to be called as soon as there is a slot.
    func requestSlot()
    /// The server has asked for a pause before its next request.
    func hold(_ host: String, for delay: Duration)
    /// What would fetch a share of a download; `nil` where there are no slots for it.
    func makeHelper(of split: SplitDownload) -> (any SplitHelper)?
    /// Has a helper begin as soon as there is a slot that nothing else waits for.
    func requestSlot(for helper: any SplitHelper)
}
