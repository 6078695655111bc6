/// The account of one run: who is waiting, who is running, which bytes are there and which are to come.
///
/// The ledger holds sums alone. What it must remember of one request is in that request's ``Account``, which the caller
/// keeps and hands in with each event, so that an event costs O(1) whatever the number of requests, and nothing is
/// looked up.
///
/// The events of one request:
///
///     open
///      ├─ setSize, setMissing                 (HEAD)
///      ├─ start                               (each attempt)
///      │   ├─ setUploadSize
///      │   ├─ send*                           (may start over)
///      │   ├─ receiveHead ── receive*         (a later head starts the download over)
///      │   └─ failAttempt                     → start again
///      ├─ pause, resume                       → start again; the bytes stay
///      └─ end                                 (from anywhere, once)
///
/// An event out of this order is ignored, and so is one for an account of a run before the last ``reset()``.
struct ProgressLedger {
    /// Whether the fraction is one of bytes; otherwise it is one of requests. May change at any time.
    var isAccurate: Bool
    /// What the queue is doing.
    private(set) var phase = QueueProgress.Phase.idle
    /// How far asking for sizes is; `nil` when none is being asked for.
    private(set) var sizing: QueueProgress.Sizing?
    /// How many requests are in which state.
    private(set) var counts = QueueProgress.Counts()
    private(set) var download = ByteTally()
    private(set) var upload = ByteTally()
    /// All bytes that crossed the network in this run, lost ones too: it never goes back, and the rate is measured on
    /// it.
    private(set) var moved: Int64 = 0
    /// Bytes of the content of finished requests that were there before the run.
    private(set) var resumed: Int64 = 0
    var rate = RateEstimator()
    /// The largest fraction shown so far.
    var shownFraction = 0.0
    /// Requests that are said to come: they wait, and each is taken to be a download of the mean size.
    private(set) var unreadCount = 0
    private var run: UInt32 = 0

    init(isAccurate: Bool = true) {
        self.isAccurate = isAccurate
    }

    // MARK: The run

    /// Goes on to `phase`. A finished run stays finished.
    mutating func enter(_ phase: QueueProgress.Phase, now: Duration) {
        guard self.phase != .finished else { return }
        self.phase = phase
        // Time spent idle or sizing is not time spent transferring.
        rate.record(moved, at: now)
    }

    /// Asks for `total` sizes, before the requests.
    mutating func beginSizing(total: Int, now: Duration) {
        sizing = QueueProgress.Sizing(total: total)
        enter(.sizing(completed: 0, total: total), now: now)
    }

    /// So many sizes are settled. A count that comes late, behind a larger one, changes nothing.
    mutating func noteSizing(completed: Int, now: Duration) {
        guard let total = sizing?.total, completed > sizing?.completed ?? 0 else { return }
        sizing?.completed = completed
        if case .sizing = phase { enter(.sizing(completed: completed, total: total), now: now) }
    }

    /// One more size is asked for.
    mutating func addSize(now: Duration) {
        let (completed, total) = (sizing?.completed ?? 0, (sizing?.total ?? 0) + 1)
        sizing = QueueProgress.Sizing(total: total)
        sizing?.completed = completed
        if case .sizing = phase { enter(.sizing(completed: completed, total: total), now: now) }
    }

    /// No size is asked for any more.
    mutating func endSizing() {
        sizing = nil
    }

    /// Ends the run: from here on, and not before, the fraction is 1.
    mutating func finishRun() {
        phase = .finished
        sizing = nil
    }

    /// Starts over, for the next run. The accounts of this one may still be alive: their events are ignored.
    mutating func reset() {
        let next = run &+ 1
        self = ProgressLedger(isAccurate: isAccurate)
        run = next
    }

    /// So many more requests are said to come, or, where it is negative, have come or will not.
    mutating func expectUnread(_ number: Int) {
        unreadCount += number
        counts.add(number, to: .waiting)
        download.add(.unknown(transferred: 0), times: number)
    }

    // MARK: The events of a request

    /// Opens the account of a new, waiting request.
    ///
    /// - Parameters:
    ///   - uploadLength: the length of the request body, nil if unknown; without a body it does not matter.
    ///   - expectedDownload: the size of the response body if the caller knows it; 0 for a method whose response has
    ///     none.
    ///   - hasBody: whether the request has a body. If so, its response is neither expected nor estimated until a head
    ///     states its length.
    mutating func open(uploadLength: Int64?, expectedDownload: Int64?, hasBody: Bool) -> Account {
        let account = Account(
            uploadSize: ClaimedSize(hasBody ? uploadLength : 0), presumed: ClaimedSize(expectedDownload), run: run,
            // A method without a response body says nothing about the size of a file.
            hasBody: hasBody, isDownloadEstimated: !hasBody && expectedDownload != 0)
        counts.add(1, to: account.state)
        download.add(account.downloadShare, times: 1)
        upload.add(account.uploadShare, times: 1)
        return account
    }

    /// Sizing found the response body's size. Nil, or an absurd size, changes nothing, and so does one that comes after
    /// the start: from there on the responses tell.
    ///
    mutating func setSize(_ bytes: Int64?, _ account: inout Account) {
        let size = ClaimedSize(bytes)
        guard size.bytes != nil, account.state == .waiting else { return }
        change(&account) { $0.presumed = size }
    }

    /// Sizing found that there is nothing to download. That is believed, of all such requests, until one of them gets a
    /// response all the same: some servers answer every HEAD with 404.
    mutating func setMissing(_ account: inout Account) {
        guard account.state == .waiting else { return }
        change(&account) { $0.isMissing = true }
    }

    /// An attempt starts, the first or a later one.
    mutating func start(_ account: inout Account) {
        guard account.state == .waiting || account.state == .retrying else { return }
        change(&account) { $0.state = .running }
    }

    /// A response's head is there. It puts the download back to `resumedFrom`, because the body follows from there.
    ///
    /// - Parameters:
    ///   - contentLength: the bytes of body to follow, as the head states them; nil if it does not. A response without
    ///     a body (204, 304, any to a HEAD) has 0, whatever its fields say.
    ///   - resumedFrom: the bytes there from before, if the response continues them (206). They do not count for the
    ///     rate.
    mutating func receiveHead(contentLength: Int64?, resumedFrom: Int64 = 0, _ account: inout Account) {
        guard account.state == .running else { return }
        let offset = ClaimedSize(resumedFrom).bytes ?? 0
        let rest = ClaimedSize(contentLength).bytes
        let wasMissing = account.isMissing
        let isChanged = change(&account) {
            $0.announced = ClaimedSize(rest.map { offset + $0 })
            $0.downloaded = offset
            $0.isMissing = false
        }
        if wasMissing, isChanged { download.estimatesMissing = true }
    }

    /// `bytes` more of the response body arrived.
    mutating func receive(_ bytes: Int64, _ account: inout Account) {
        // What was on its way may come after a pause.
        guard account.state == .running || account.state == .paused, bytes > 0 else { return }
        if change(&account, { $0.downloaded = $0.downloaded.addingSaturated(bytes) }) {
            moved = moved.addingSaturated(bytes)
        }
    }

    /// The request body has been measured: a file may not be as long as it was when the request was added.
    mutating func setUploadSize(_ bytes: Int64, _ account: inout Account) {
        let size = ClaimedSize(bytes)
        guard account.hasBody, size != account.uploadSize else { return }
        change(&account) { $0.uploadSize = size }
    }

    /// The attempt has sent `total` bytes of the request body so far; less than before if it had to start over.
    mutating func send(_ total: Int64, _ account: inout Account) {
        guard account.state == .running else { return }
        let total = max(0, total)
        let more = max(0, total - account.uploaded)
        if change(&account, { $0.uploaded = total }) {
            moved = moved.addingSaturated(more)
        }
    }

    /// The attempt failed and another one will come: its bytes are lost.
    ///
    /// - Parameter keepingSize: whether to believe the length in the attempt's head. Pass `false` if the response was
    ///   an error page: its length is not the file's.
    mutating func failAttempt(keepingSize: Bool, _ account: inout Account) {
        guard account.state == .running else { return }
        change(&account) {
            if keepingSize, $0.announced.bytes != nil { $0.presumed = $0.announced }
            $0.announced = ClaimedSize(nil)
            $0.downloaded = 0
            $0.uploaded = 0
            $0.state = .retrying
        }
    }

    /// The request ended. This is the account's last event.
    ///
    /// - Parameter resumed: how much of the content was there before the request started.
    mutating func end(_ outcome: RequestResult.Outcome, resumed bytes: Int64 = 0, _ account: inout Account) {
        let isChanged = change(&account) { $0.state = .ended(outcome) }
        if isChanged, outcome == .finished { resumed = resumed.addingSaturated(max(0, min(bytes, account.downloaded))) }
    }

    // MARK: The books

    /// Returns false, having done nothing, if the account is closed or of another run.
    @discardableResult
    private mutating func change(_ account: inout Account, _ body: (inout Account) -> Void) -> Bool {
        guard account.run == run, account.isOpen else { return false }
        let former = account
        body(&account)
        if former.state != account.state {
            counts.add(-1, to: former.state)
            counts.add(1, to: account.state)
        }
        // Most events change one of them at most.
        if !former.downloadsSame(as: account) {
            download.replace(former.downloadShare, with: account.downloadShare)
        }
        if !former.uploadsSame(as: account) { upload.replace(former.uploadShare, with: account.uploadShare) }
        return true
    }
}

extension ProgressLedger {
    /// What the ledger knows about one request; the keeper of the request keeps this with it.
    ///
    /// Only the ledger changes it, because it has counted the request as it stands here. Once ended it can be thrown
    /// away.
    struct Account: Equatable {
        /// Where the request is in its life.
        enum State: Equatable {
            case waiting, running, paused, retrying
            case ended(RequestResult.Outcome)
        }

        /// The bytes of the response body that are there, resumed ones included.
        fileprivate(set) var downloaded: Int64 = 0
        /// The bytes of the request body that were sent.
        fileprivate(set) var uploaded: Int64 = 0
        fileprivate(set) var uploadSize: ClaimedSize
        /// The response body's size as known before the attempt: from the caller, a HEAD, or an earlier attempt.
        fileprivate(set) var presumed: ClaimedSize
        /// The size from the head of the attempt under way, which beats `presumed`.
        fileprivate(set) var announced = ClaimedSize(nil)
        fileprivate let run: UInt32
        let hasBody: Bool
        let isDownloadEstimated: Bool
        /// Whether a HEAD has said that there is nothing to download.
        fileprivate(set) var isMissing = false
        fileprivate(set) var state = State.waiting
    }

}

extension ProgressLedger {
    /// Notes what has happened to a request.
    mutating func note(_ event: RequestEvent, _ account: inout Account) {
        switch event {
        case .started, .restarted, .continued: start(&account)
        case .paused: change(&account) { $0.state = .paused }
        case .resumed(let isRetrying): change(&account) { $0.state = isRetrying ? .retrying : .waiting }
        case .willSend(let length): setUploadSize(length, &account)
        case .didSend(let totalBytes, _): send(totalBytes, &account)
        case .willReceive(_, let resumed, let length):
            receiveHead(contentLength: length, resumedFrom: resumed, &account)
        case .didReceive(let byteCount): receive(Int64(byteCount), &account)
        case .didReject: break
        case .willRetry(_, _, let keepsLength): failAttempt(keepingSize: keepsLength, &account)
        case .ended(let result): end(result.outcome, resumed: result.bytesResumed, &account)
        }
    }
}
