/// The account of one run: the states of its requests, and the bytes transferred and expected.
///
/// The ledger holds only sums. The data of one request is in its ``Account``, which the caller keeps and passes with
/// each event. So an event costs O(1) for any number of requests, without a lookup.
///
/// The events of one request:
///
/// ```text
/// open
///  ├─ setSize, setMissing                 (HEAD)
///  ├─ start                               (each attempt)
///  │   ├─ setUploadSize
///  │   ├─ send*                           (may start over)
///  │   ├─ receiveHead ── receive*         (a later head starts the download over)
///  │   └─ failAttempt                     → start again
///  ├─ pause, resume                       → start again; the bytes stay
///  └─ end                                 (from anywhere, once)
/// ```
///
/// An event out of this order is ignored, and so is one for an account opened before the last ``reset()``.
struct ProgressLedger {
    /// Whether the fraction counts bytes; otherwise it counts requests. May change at any time.
    var isAccurate: Bool
    /// How many exchanges may start in a time; `nil` if there is no limit.
    var requestRate: RequestRate?
    /// The phase of the queue.
    private(set) var phase = QueueProgress.Phase.idle
    /// The progress of sizing; `nil` if no sizes are being requested.
    private(set) var sizing: QueueProgress.Sizing?
    /// The number of requests in each state.
    private(set) var counts = QueueProgress.Counts()
    private(set) var download = ByteTally()
    private(set) var upload = ByteTally()
    /// All bytes that crossed the network in this run, including lost ones. It never decreases; the rate is measured on
    /// it.
    private(set) var moved: Int64 = 0
    /// The bytes of finished requests that existed before the run.
    private(set) var resumed: Int64 = 0
    /// The bytes that servers had of finished uploads before the run.
    private(set) var resumedUpload: Int64 = 0
    var rate = RateEstimator()
    /// The largest fraction shown so far.
    var shownFraction = 0.0
    /// The number of announced requests that have not been read. Each counts as waiting, and as a download of the mean
    /// size.
    private(set) var unreadCount = 0
    private var run: UInt32 = 0
    /// What the fraction does not count.
    private(set) var former = Former()
    /// More announced requests than this are not counted, so that no sum over them overflows.
    private static let maximumUnreadCount = 1 << 40

    init(isAccurate: Bool = true, requestRate: RequestRate? = nil) {
        self.isAccurate = isAccurate
        self.requestRate = requestRate
    }

    // MARK: The run

    /// Enters `phase`. A finished run stays finished.
    mutating func enter(_ phase: QueueProgress.Phase, now: Duration) {
        guard self.phase != .finished else { return }
        self.phase = phase
        // The rate is measured from here on: time spent idle or sizing is not transfer time.
        rate.record(moved, at: now)
    }

    /// Begins sizing, with `total` sizes, before the transfers.
    mutating func beginSizing(total: Int, now: Duration) {
        sizing = QueueProgress.Sizing(total: total)
        enter(.sizing(completed: 0, total: total), now: now)
    }

    /// Records that `completed` sizes are settled. A count that arrives late, after a larger one, has no effect.
    mutating func noteSizing(completed: Int, now: Duration) {
        guard let total = sizing?.total, completed > sizing?.completed ?? 0 else { return }
        sizing?.completed = completed
        if case .sizing = phase { enter(.sizing(completed: completed, total: total), now: now) }
    }

    /// Adds one more size to request.
    mutating func addSize(now: Duration) {
        let (completed, total) = (sizing?.completed ?? 0, (sizing?.total ?? 0) + 1)
        sizing = QueueProgress.Sizing(total: total)
        sizing?.completed = completed
        if case .sizing = phase { enter(.sizing(completed: completed, total: total), now: now) }
    }

    /// Ends sizing.
    mutating func endSizing() {
        sizing = nil
    }

    /// Ends the run. Only from now on is the fraction 1.
    mutating func finishRun() {
        phase = .finished
        sizing = nil
    }

    /// Resets the ledger for the next run. Accounts of this run may still exist; their events are ignored.
    mutating func reset() {
        let next = run &+ 1
        self = ProgressLedger(isAccurate: isAccurate, requestRate: requestRate)
        run = next
    }

    /// Begins another pass after all requests have ended: sums go on, and the fraction counts what is added from now on.
    mutating func beginPass() {
        phase = .idle
        shownFraction = 0
        former = Former(self)
    }

    /// Adds `number` announced requests. A negative number removes requests that have been read or will not be.
    mutating func expectUnread(_ number: Int) {
        let number = min(number, Self.maximumUnreadCount - unreadCount)
        unreadCount += number
        counts.add(number, to: .waiting)
        download.add(.unknown(transferred: 0), times: number)
    }

    // MARK: The events of a request

    /// Opens the account of a new, waiting request.
    ///
    /// - Parameters:
    ///   - uploadLength: the length of the request body; `nil` if unknown. Ignored without a body.
    ///   - expectedDownload: the size of the response body if the caller knows it; 0 for a method whose response has
    ///     none.
    ///   - hasBody: whether the request has a body. If so, its response is neither expected nor estimated until a head
    ///     states its length.
    mutating func open(uploadLength: Int64?, expectedDownload: Int64?, hasBody: Bool) -> Account {
        let account = Account(
            uploadSize: ClaimedSize(hasBody ? uploadLength : 0), presumed: ClaimedSize(expectedDownload), run: run,
            // A method without a response body says nothing about the size of files.
            hasBody: hasBody, isDownloadEstimated: !hasBody && expectedDownload != 0)
        add(account)
        return account
    }

    /// Records the size of the response body that sizing found. An unknown or absurd size has no effect. After the
    /// start the responses decide, so a size has no effect then either.
    mutating func setSize(_ bytes: Int64?, _ account: inout Account) {
        let size = ClaimedSize(bytes)
        guard size.bytes != nil, account.state == .waiting else { return }
        change(&account) { $0.presumed = size }
    }

    /// Records that sizing found no content. This is believed, of all such requests, until one of them gets a response
    /// after all: some servers answer every HEAD with 404.
    mutating func setMissing(_ account: inout Account) {
        guard account.state == .waiting else { return }
        change(&account) { $0.isMissing = true }
    }

    /// Starts an attempt, the first or a later one.
    mutating func start(_ account: inout Account) {
        guard account.state == .waiting || account.state == .retrying else { return }
        change(&account) { $0.state = .running }
    }

    /// Records the head of a response. Sets the downloaded bytes to `resumedFrom`, because the body continues from
    /// there.
    ///
    /// - Parameters:
    ///   - contentLength: the bytes of body to follow, as the head states them; `nil` if it does not. A response
    ///     without a body (204, 304, any to a HEAD) has 0, whatever its fields say.
    ///   - resumedFrom: the bytes that existed before, if the response continues them (206). They do not count for the
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

    /// Adds `bytes` received of the response body.
    mutating func receive(_ bytes: Int64, _ account: inout Account) {
        // Bytes that were under way may arrive after a pause.
        guard account.state == .running || account.state == .paused, bytes > 0 else { return }
        if change(&account, { $0.downloaded = $0.downloaded.addingSaturated(bytes) }) {
            moved = moved.addingSaturated(bytes)
        }
    }

    /// Records the measured length of the request body. A file may have changed since the request was added.
    mutating func setUploadSize(_ bytes: Int64, _ account: inout Account) {
        let size = ClaimedSize(bytes)
        guard account.hasBody, size != account.uploadSize else { return }
        change(&account) { $0.uploadSize = size }
    }

    /// Records that the attempt has sent `total` bytes of the request body so far: fewer than before if it started
    /// over.
    mutating func send(_ total: Int64, _ account: inout Account) {
        guard account.state == .running else { return }
        let total = max(0, total, account.uploadStart.bytes == nil ? 0 : account.uploaded)
        let more = max(0, total - account.uploaded)
        if change(&account, { $0.uploaded = total }) {
            moved = moved.addingSaturated(more)
        }
    }

    /// Records that the server has the first `bytes` of the request body. They do not count for the rate, and what is
    /// sent is not lost from now on if an attempt fails. If the server has dropped what it had before, all that follows
    /// is sent by this run.
    private mutating func resumeUpload(at bytes: Int64, _ account: inout Account) {
        guard account.state == .running else { return }
        change(&account) {
            if $0.uploadStart.bytes == nil { $0.uploaded = 0 }
            $0.uploadStart = ClaimedSize(min($0.uploadStart.bytes ?? bytes, bytes))
            $0.uploaded = max($0.uploaded, bytes)
        }
    }

    /// Records that the attempt failed and another one will follow. Its bytes are lost.
    ///
    /// - Parameter keepingSize: whether to believe the length in the attempt's head. Pass `false` if the response was
    ///   an error page, whose length is not that of the content.
    mutating func failAttempt(keepingSize: Bool, _ account: inout Account) {
        guard account.state == .running else { return }
        change(&account) {
            if keepingSize, $0.announced.bytes != nil { $0.presumed = $0.announced }
            $0.announced = ClaimedSize(nil)
            $0.downloaded = 0
            if $0.uploadStart.bytes == nil { $0.uploaded = 0 }
            $0.state = .retrying
        }
    }

    /// Ends the request. This is the account's last event.
    ///
    /// - Parameter resumed: the number of bytes of the content that existed before the request started.
    mutating func end(_ outcome: RequestResult.Outcome, resumed bytes: Int64 = 0, _ account: inout Account) {
        let isChanged = change(&account) { $0.state = .ended(outcome) }
        if isChanged, outcome == .finished { resumed = resumed.addingSaturated(max(0, min(bytes, account.downloaded))) }
    }

    // MARK: Changing accounts

    /// Changes an account, and the sums with it. Returns `false` if the account is closed or of another run.
    @discardableResult
    private mutating func change(_ account: inout Account, _ body: (inout Account) -> Void) -> Bool {
        guard account.run == run, account.isOpen else { return false }
        let former = account
        body(&account)
        replace(former, with: account)
        return true
    }

    /// Changes the sums as an account has changed.
    private mutating func replace(_ former: Account, with account: Account) {
        if former.state != account.state {
            if account.state == .ended(.finished), let start = account.uploadStart.bytes {
                resumedUpload = resumedUpload.addingSaturated(min(start, account.uploaded))
            }
            counts.add(-1, to: former.state)
            counts.add(1, to: account.state)
        }
        // Most events change one direction at most.
        if !former.downloadsSame(as: account) {
            download.replace(former.downloadShare, with: account.downloadShare)
        }
        if !former.uploadsSame(as: account) { upload.replace(former.uploadShare, with: account.uploadShare) }
    }

    // MARK: A ledger beside another

    /// Adds an account that another ledger has opened. This ledger follows its changes.
    mutating func add(_ account: Account) {
        counts.add(1, to: account.state)
        download.add(account.downloadShare, times: 1)
        upload.add(account.uploadShare, times: 1)
    }

    /// Follows a change of an account that another ledger has made. O(1)
    ///
    /// - Parameters:
    ///   - moved: the bytes that have crossed the network by this change.
    ///   - resumed: the bytes of a finished request that existed before the run.
    mutating func follow(_ former: Account, _ account: Account, moved: Int64, resumed: Int64) {
        replace(former, with: account)
        if former.isMissing, !account.isMissing { download.estimatesMissing = true }
        self.moved = self.moved.addingSaturated(moved)
        self.resumed = self.resumed.addingSaturated(resumed)
        if former.state != account.state, former.state == .paused || account.state == .paused { measureAnew() }
    }

    /// A pause is no transfer time, so the speed is measured anew once nothing runs.
    private mutating func measureAnew() {
        if counts.running == 0 { rate = RateEstimator() }
    }
}

extension ProgressLedger {
    /// The ledger's data about one request. The owner of the request keeps it.
    ///
    /// Only the ledger changes it, because the ledger's sums include it. It can be discarded once ended.
    struct Account: Equatable {
        /// The state of a request.
        enum State: Equatable {
            case waiting, running, paused, retrying
            case ended(RequestResult.Outcome)
        }

        /// The bytes received of the response body, including resumed ones.
        fileprivate(set) var downloaded: Int64 = 0
        /// The bytes sent of the request body.
        fileprivate(set) var uploaded: Int64 = 0
        fileprivate(set) var uploadSize: ClaimedSize
        /// The lowest offset at which this run began to send, for an upload whose attempts continue each other.
        fileprivate(set) var uploadStart = ClaimedSize(nil)
        /// The size of the response body as known before the attempt: from the caller, a HEAD or an earlier attempt.
        fileprivate(set) var presumed: ClaimedSize
        /// The size in the head of the current attempt. It takes precedence over `presumed`.
        fileprivate(set) var announced = ClaimedSize(nil)
        fileprivate let run: UInt32
        let hasBody: Bool
        let isDownloadEstimated: Bool
        /// Whether sizing found that the content does not exist.
        fileprivate(set) var isMissing = false
        fileprivate(set) var state = State.waiting
    }

}

extension ProgressLedger {
    /// Begins or ends a pause.
    private mutating func changePause(_ account: inout Account, to state: Account.State) {
        change(&account) { $0.state = state }
        measureAnew()
    }

    /// Records an event of a request.
    mutating func note(_ event: RequestEvent, _ account: inout Account) {
        switch event {
        case .started, .restarted, .continued: start(&account)
        case .paused: changePause(&account, to: .paused)
        case .resumed(let isRetrying): changePause(&account, to: isRetrying ? .retrying : .waiting)
        case .willSend(let length, let resumed):
            setUploadSize(length, &account)
            if let resumed { resumeUpload(at: resumed, &account) }
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
