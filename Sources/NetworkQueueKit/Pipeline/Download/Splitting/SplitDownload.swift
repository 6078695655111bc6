import Foundation

/// A part that several exchanges fill at once: those of the download itself, one after the other, and those of its
/// helpers, each of which has its own slot in the queue.
///
/// ```text
///             take → write* → end        (the download's own exchanges, and each helper's)
/// init → … ─────────────────────────── → close | abandon | discard
/// ```
///
/// The sidecar records the stored ranges before the first share that does not continue the beginning of the file, and
/// later after every 512 KiB of a share. If the process ends, less than 1 MiB of each share is lost. Until the sidecar
/// has ranges, the file's length says what is stored, so nothing is written beyond that.
///
/// Calls come on the threads of the exchanges; a cancellation may come on any thread.
final class SplitDownload: @unchecked Sendable {  // see `condition`
    typealias Share = ShareMap.Share

    /// How many bytes a share takes at once of a file that is filled in order. Less means more requests; more means
    /// that more of the file is behind the first gap when its last byte arrives.
    private static let pieceLength: Int64 = 64 << 20
    /// How many bytes of a share may be written without a record in the sidecar.
    private static let recordInterval: Int64 = 512 * 1024
    /// How often running shares are checked for one that has become slow.
    private static let checkInterval = Duration.milliseconds(250)
    /// How many exchanges in a row may break off before the server is given a pause.
    private static let maximumBrokenCount = 8

    let part: PartFile
    /// Decides whether a response belongs to the stored bytes.
    let partOwner: PartOwner
    let rule: NetworkRequest.Splitting?
    private let timekeeper: any Timekeeper
    /// Guards everything below. The part is written without the lock, by one thread per share; `writerCount` counts
    /// them.
    private let condition = NSCondition()
    private var map: ShareMap
    /// The writer of each share, by its identifier.
    private var writers: [Int: WriteBehind] = [:]
    private var sidecar: Sidecar
    private var writerCount = 0
    private var isRecording = false
    /// The number of bytes appended to the sidecar since it was last rewritten.
    private var amendedLength = 0
    /// The number of appended bytes above which the sidecar is rewritten.
    private static let maximumAmendment = 16 * 1024
    /// Whether more bytes may be written.
    private var isOpen = true
    /// Whether no more helpers may join.
    private var isRefused = false
    /// How many shares may be fetched at once: as many as the rule allows, or fewer if the server has refused one more.
    private var maximumShareCount: Int
    /// When to check next whether a share has become slow.
    private var nextCheck = Duration.zero
    /// The error after which nothing more can be written.
    private var failure: NetworkError?
    /// The helper that waits for a slot.
    private var waitingHelper: (any SplitHelper)?
    private var helpers: [RequestID: (helper: any SplitHelper, share: Share)] = [:]
    /// Whether a helper is being created.
    private var isAsking = false
    /// The number of helpers that have ended.
    private var endedCount = 0
    /// The number of exchanges in a row that have broken off.
    private var brokenCount = 0
    private var latestYield = RangeYield()
    private var wait: ExchangeStandIn?
    /// The number of bytes received in this run.
    private var receivedCount: Int64 = 0
    /// Reads the stored beginning of the file.
    private var check: PartCheck?
    private var owner: (any RequestRunDelegate)?

    /// - Parameters:
    ///   - part: an open part with a sidecar.
    ///   - partOwner: the owner of the part.
    ///   - sidecar: the part's sidecar. If it has no ranges, the part's length says what is stored.
    ///   - rule: how to split the download; `nil` only fills the gaps, one after the other.
    init(
        _ part: PartFile, of partOwner: PartOwner, _ sidecar: Sidecar, total: Int64, rule: NetworkRequest.Splitting?,
        owner: any RequestRunDelegate, timekeeper: any Timekeeper
    ) {
        self.part = part
        self.partOwner = partOwner
        self.sidecar = sidecar
        self.rule = rule
        self.owner = owner
        self.timekeeper = timekeeper
        maximumShareCount = max(rule?.maxParts ?? 1, 1)
        let start = part.length > 0 ? [0..<part.length] : []
        map = ShareMap(total: total, present: sidecar.ranges ?? start)
    }

    deinit { abandon() }

    /// Fills the part from its beginning in pieces, so that it can be read while it grows. Call before the first share.
    func fillInOrder() {
        if let rule { locked { map.pieceLength = max(Self.pieceLength, rule.minPartSize) } }
    }

    /// Tells a check from now on what it may read.
    func begin(_ check: PartCheck) {
        locked {
            self.check = check
            check.noteWritten(upTo: map.beginning)
        }
    }

    /// The current description of the part.
    var currentSidecar: Sidecar { locked { sidecar } }

    /// The number of stored bytes in all of the file.
    var presentCount: Int64 { locked { map.present.reduce(0) { $0 + Int64($1.count) } } }
    /// The number of bytes received by all exchanges in this run.
    var bytesReceived: Int64 { locked { receivedCount } }
    var total: Int64 { map.total }
    var isWhole: Bool { locked { map.isWhole && failure == nil } }
    /// Whether nothing more can be written.
    var hasFailed: Bool { locked { failure != nil } }
    /// Whether any helper is active.
    var isShared: Bool { locked { !helpers.isEmpty } }
    /// The number of helpers that have ended.
    var endCount: Int { locked { endedCount } }
    /// The success of the latest ranged exchanges.
    var rangeYield: RangeYield {
        get { locked { latestYield } }
        set { locked { latestYield = newValue } }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    // MARK: Shares

    /// The next step of the download itself.
    enum Next {
        case fetch(Share)
        /// Helpers fetch everything that is missing. Ask again once ``endCount`` differs from this value.
        case wait(endCount: Int)
        case fail(NetworkError)
    }

    func next() -> Next {
        condition.lock()
        defer { condition.unlock() }
        if let failure { return .fail(failure) }
        if isOpen, map.shares.count < maximumShareCount, let share = take() { return .fetch(share) }
        return .wait(endCount: endedCount)
    }

    /// Returns the share of a helper that has got its slot; `nil` if nothing is left for it.
    func begin(_ helper: any SplitHelper) -> Share? {
        condition.lock()
        waitingHelper = nil
        let share = isOpen && failure == nil && mayAdd ? take() : nil
        if let share { helpers[helper.id] = (helper, share) }
        condition.unlock()
        if share != nil { askForHelper() }
        return share
    }

    /// Takes a share. The first one that does not continue the beginning of the file is recorded in the sidecar first.
    private func take() -> Share? {
        guard let share = map.take(minimum: mayAdd ? rule?.minPartSize : nil, at: timekeeper.now) else { return nil }
        if sidecar.ranges != nil || share.start == map.present.first?.upperBound ?? 0 { return share }
        if record() { return share }
        // Without a record a later attempt could not tell which bytes are stored.
        map.end(share.id)
        isRefused = true
        return nil
    }

    /// Whether a helper may take a share.
    private var mayAdd: Bool { !isRefused && map.shares.count < maximumShareCount }

    /// What may follow an exchange of the download itself.
    enum End {
        /// The whole share has arrived.
        case whole
        /// Some of the share has arrived; another exchange may follow at once.
        case broken
        /// Nothing of the share has arrived, or too many exchanges in a row have broken off: wait before the next one.
        case refused
    }

    /// Ends the share of the download's own exchange, which is over.
    ///
    /// - Parameter isRanged: whether that exchange has asked for a range.
    func end(_ share: Share, isRanged: Bool = true) -> End {
        settle(share)
        condition.lock()
        let share = map[share.id] ?? share
        let isWhole = share.isWhole
        if isRanged { latestYield.note(received: share.written - share.start, isWhole: isWhole) }
        noteEnd(of: share)
        let mayFollow = share.written > share.start && brokenCount < Self.maximumBrokenCount
        condition.unlock()
        askForHelper()
        return isWhole ? .whole : mayFollow ? .broken : .refused
    }

    /// Ends the share of a finished helper, if it had one. If the server has refused it because of too many requests,
    /// only as many exchanges as it still serves may run at once. No more helpers join if the server has sent it nothing
    /// for another reason or has broken off too many exchanges.
    func end(_ helper: any SplitHelper, _ error: NetworkError?) {
        guard let share = locked({ helpers[helper.id]?.share }) else { return }
        settle(share)
        condition.lock()
        helpers[helper.id] = nil
        let present = map[share.id]
        if let present, present.written > present.start {
            latestYield.note(received: present.written - present.start, isWhole: present.isWhole)
            noteEnd(of: present)
        } else if error?.isTooManyRequests == true {
            map.end(share.id)
            maximumShareCount = max(min(maximumShareCount, map.shares.count), 1)
        } else {
            // A share without a byte may not have been answered at all.
            if let error, !error.isCancellation { isRefused = true }
            present.map(noteEnd)
        }
        if brokenCount >= Self.maximumBrokenCount { isRefused = true }
        endedCount += 1
        let wait = wait.take()
        condition.unlock()
        askForHelper()
        wait?.end(nil)
    }

    /// Cuts a share down to what its response has, and leaves the rest of it to another exchange.
    func shorten(_ share: Share, to end: Int64) { locked { map.shorten(share.id, to: end) } }

    private func noteEnd(of share: Share) {
        map.end(share.id)
        brokenCount = share.isWhole ? 0 : brokenCount + 1
    }

    // MARK: Helpers

    /// Requests a slot for a helper, if there is something for it to fetch.
    func askForHelper() {
        condition.lock()
        guard isOpen, mayAdd, failure == nil, waitingHelper == nil, !isAsking, let rule, let owner,
            map.hasMore(minimum: rule.minPartSize, at: timekeeper.now)
        else { return condition.unlock() }
        isAsking = true
        condition.unlock()
        let helper = owner.makeHelper(of: self)
        condition.lock()
        isAsking = false
        if helper == nil { isRefused = true }
        let isWanted = isOpen
        if isWanted { waitingHelper = helper }
        condition.unlock()
        if let helper, isWanted { owner.requestSlot(for: helper) }
    }

    /// Ends `wait` once the number of ended helpers differs from `endCount` or no helper is left.
    func start(_ wait: ExchangeStandIn, endCount: Int) {
        condition.lock()
        let isDue = !isOpen || helpers.isEmpty || endedCount != endCount
        if !isDue { self.wait = wait }
        condition.unlock()
        if isDue { wait.end(nil) }
    }

    // MARK: Content

    /// Takes the bytes that belong to a share. Returns `.stop` once the share has all its bytes.
    func write(_ bytes: UnsafeRawBufferPointer, of share: Share) throws(NetworkError) -> ExchangeDisposition {
        condition.lock()
        if let failure {
            condition.unlock()
            throw failure
        }
        let isOwn = !helpers.values.contains { $0.share.id == share.id }
        let now = timekeeper.now
        guard isOpen, let count = map.accept(bytes.count, for: share.id, takesBack: isOwn, at: now) else {
            condition.unlock()
            return .stop
        }
        let idle = isOwn ? helpers.values.filter { map[$0.share.id] == nil }.map(\.helper) : []
        let writer = writers[share.id] ?? makeWriter(share.id)
        receivedCount += Int64(count)
        let isDone = map[share.id].map { $0.rest == 0 && !$0.isShortened } == true
        let owner = owner
        let mayBeSlow = now >= nextCheck && mayAdd
        if mayBeSlow { nextCheck = now + Self.checkInterval }
        condition.unlock()
        if mayBeSlow { askForHelper() }
        for helper in idle { helper.cancel() }
        try writer.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        owner?.requestDid(.didReceive(byteCount: count))
        return isDone ? .stop : .proceed
    }

    private func makeWriter(_ id: Int) -> WriteBehind {
        // The buffers and the unrecorded bytes of a share together stay below 1 MiB.
        let writer = WriteBehind(bufferSize: 256 * 1024) { [self] bytes throws(NetworkError) in
            try store(bytes, of: id)
        }
        writers[id] = writer
        return writer
    }

    /// Writes the next bytes of a share, unless the share or the download has ended.
    private func store(_ bytes: UnsafeRawBufferPointer, of id: Int) throws(NetworkError) {
        condition.lock()
        guard isOpen, let offset = map[id]?.written else { return condition.unlock() }
        writerCount += 1
        condition.unlock()
        let outcome = Result { () throws(NetworkError) in try part.write(bytes, at: offset) }
        condition.lock()
        var gathered: Range<Int64>?
        switch outcome {
        case .success:
            map.noteWritten(bytes.count, for: id)
            part.noteLength(offset + Int64(bytes.count))
            gathered = map.takeGathered(of: id, PartFile.flushInterval)
            check?.noteWritten(upTo: map.beginning)
            if sidecar.ranges != nil, map.unrecorded(of: id) >= Self.recordInterval { _ = record() }
        case .failure(let error): failure = failure ?? error
        }
        condition.unlock()
        if let gathered { part.beginFlush(gathered) }
        locked {
            writerCount -= 1
            condition.broadcast()
        }
        try outcome.get()
    }

    /// Waits until all received bytes of a share are written.
    private func settle(_ share: Share) {
        locked { writers.removeValue(forKey: share.id) }?.settle()
    }

    /// Records the stored ranges in the sidecar; returns whether that succeeded. Call with the lock held; it is
    /// released while the sidecar is written.
    private func record() -> Bool {
        while isRecording { condition.wait() }
        guard isOpen else { return false }
        isRecording = true
        var sidecar = sidecar
        let ranges = map.present
        let amendment = Sidecar.amendment(ranges)
        let mustDescribe = sidecar.ranges == nil || amendedLength > Self.maximumAmendment
        sidecar.ranges = ranges
        amendedLength = mustDescribe ? 0 : amendedLength + amendment.utf8.count
        map.noteRecord()
        condition.unlock()
        let isDone = mustDescribe ? part.describe(sidecar) : part.amendSidecar(amendment)
        condition.lock()
        if isDone { self.sidecar = sidecar }
        // An incomplete line may have been appended, which would spoil the next one: rewrite the sidecar next time.
        if !isDone, !mustDescribe { amendedLength = .max }
        isRecording = false
        condition.broadcast()
        return isDone
    }

    // MARK: The end

    /// Prevents further use of the part and waits for what is in progress; then the part belongs to the caller. Returns
    /// `false` if it was closed before.
    func close() -> Bool {
        condition.lock()
        let wasOpen = isOpen
        isOpen = false
        while writerCount > 0 || isRecording { condition.wait() }
        let former = (
            helpers: Array(helpers.values), waiting: waitingHelper.take(), owner: owner.take(), wait: wait.take(),
            writers: writers, check: check.take()
        )
        writers = [:]
        condition.unlock()
        withExtendedLifetime(former.writers) {}
        former.check?.stop()
        for helper in former.helpers { helper.helper.cancel() }
        former.waiting?.cancel()
        former.wait?.end(nil)
        return wasOpen
    }

    /// Leaves the stored bytes for a later attempt.
    func abandon() {
        for writer in locked({ Array(writers.values) }) { writer.settle() }
        guard close(), part.isOpen else { return }
        let present = locked { map.present }
        var known = currentSidecar
        if known.ranges != nil { known.ranges = present }
        if present.isEmpty { part.remove() } else { part.keep(known) }
    }

    /// Removes the stored bytes.
    func discard() { if close() { part.remove() } }
}
