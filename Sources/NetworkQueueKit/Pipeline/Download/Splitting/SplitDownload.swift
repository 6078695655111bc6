import Foundation

/// A part that several exchanges fill at a time: those of the download itself, one after the other, and those of its
/// helpers, each of which has a slot of its own in the queue.
///
///                 take → write* → end        (the download's own exchanges, and each helper's)
///     init → … ─────────────────────────── → close | abandon | discard
///
/// At the places where a share begins and ends the sidecar is told which bytes are there, and every half mebibyte
/// between: the end of the process loses less than a mebibyte of each share. Nothing is written behind what the sidecar
/// takes the file's length for before it speaks of ranges.
///
/// Calls come on the threads of the exchanges, and for a cancellation on any.
final class SplitDownload: @unchecked Sendable {  // see `condition`
    typealias Share = ShareMap.Share

    /// So much may be in the part of a share of which the sidecar does not speak.
    private static let recordInterval: Int64 = 512 * 1024
    /// After so many exchanges in a row that have broken off the server is given a rest.
    private static let maximumBrokenCount = 8

    let part: PartFile
    /// Who decides whether a response belongs to what is there.
    let partOwner: PartOwner
    let rule: NetworkRequest.Splitting?
    /// Guards all below. The part is written to without it, by one thread for each share, which `writerCount` counts.
    private let condition = NSCondition()
    private var map: ShareMap
    /// What writes the content of each share.
    private var writers: [Int: WriteBehind] = [:]
    private var sidecar: Sidecar
    private var writerCount = 0
    private var isRecording = false
    /// How many bytes have been added to the sidecar since it was written.
    private var amendedLength = 0
    /// From so many bytes on it is written anew.
    private static let maximumAmendment = 16 * 1024
    /// Whether more may be written.
    private var isOpen = true
    /// Whether there are to be no more helpers.
    private var isRefused = false
    /// Why nothing more can be written.
    private var failure: NetworkError?
    /// The helper that waits for a slot.
    private var waitingHelper: (any SplitHelper)?
    private var helpers: [RequestID: (helper: any SplitHelper, share: Share)] = [:]
    /// Whether one is being made.
    private var isAsking = false
    /// How many helpers have ended.
    private var endedCount = 0
    /// How many exchanges in a row have broken off.
    private var brokenCount = 0
    private var wait: HelperWait?
    /// What has come in this run.
    private var receivedCount: Int64 = 0
    private var owner: (any RequestRunDelegate)?

    /// - Parameters:
    ///   - part: open, with a sidecar beside it.
    ///   - partOwner: whose part it is.
    ///   - sidecar: that one. Where it speaks of no ranges, the part's length tells what is there.
    ///   - rule: how it is split; `nil` where only what is missing is to be fetched, one range after the other.
    init(
        _ part: PartFile, of partOwner: PartOwner, _ sidecar: Sidecar, total: Int64, rule: NetworkRequest.Splitting?,
        owner: any RequestRunDelegate
    ) {
        self.part = part
        self.partOwner = partOwner
        self.sidecar = sidecar
        self.rule = rule
        self.owner = owner
        let start = part.length > 0 ? [0..<part.length] : []
        map = ShareMap(total: total, present: sidecar.ranges ?? start)
    }

    deinit { abandon() }

    /// What the state of the resource is known by.
    var description: Sidecar { locked { sidecar } }

    /// How many bytes are there, wherever in the file.
    var presentCount: Int64 { locked { map.present.reduce(0) { $0 + Int64($1.count) } } }
    /// How many have come through all exchanges.
    var bytesReceived: Int64 { locked { receivedCount } }
    var total: Int64 { map.total }
    var isWhole: Bool { locked { map.isWhole && failure == nil } }
    /// Whether helpers are at it.
    var isShared: Bool { locked { !helpers.isEmpty } }
    /// How many helpers have ended.
    var endCount: Int { locked { endedCount } }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    // MARK: Shares

    /// What the download itself does next.
    enum Next {
        case fetch(Share)
        /// There is nothing to take; helpers are at the rest. To be asked again when so many have ended.
        case wait(endCount: Int)
        case fail(NetworkError)
    }

    func next() -> Next {
        condition.lock()
        defer { condition.unlock() }
        if let failure { return .fail(failure) }
        if isOpen, let share = take() { return .fetch(share) }
        return .wait(endCount: endedCount)
    }

    /// The share of a helper that has got its slot; `nil` if there is nothing left for it.
    func begin(_ helper: any SplitHelper) -> Share? {
        condition.lock()
        waitingHelper = nil
        let share = isOpen && failure == nil && !isRefused ? take() : nil
        if let share { helpers[helper.id] = (helper, share) }
        condition.unlock()
        if share != nil { askForHelper() }
        return share
    }

    /// Gives out a share. The first that is not at the end of what the part's length tells is recorded before.
    private func take() -> Share? {
        let mayHalve = rule.map { map.shares.count < $0.maxParts } == true && !isRefused
        guard let share = map.take(minimum: mayHalve ? rule?.minPartSize : nil) else { return nil }
        if sidecar.ranges != nil || share.start == map.present.first?.upperBound ?? 0 { return share }
        if record() { return share }
        // It cannot be said what is where.
        map.end(share.id)
        isRefused = true
        return nil
    }

    /// What is to follow an exchange of the download's own.
    enum End {
        /// All of its share has come.
        case whole
        /// It has brought something, and may be followed at once.
        case broken
        /// So many have broken off, or it has brought so little, that another is worth a wait.
        case refused
    }

    /// Ends the share of an exchange of the download's own that is over.
    func end(_ share: Share) -> End {
        settle(share)
        condition.lock()
        let share = map[share.id] ?? share
        let isWhole = share.isWhole
        noteEnd(of: share)
        let mayFollow = share.written > share.start && brokenCount < Self.maximumBrokenCount
        condition.unlock()
        askForHelper()
        return isWhole ? .whole : mayFollow ? .broken : .refused
    }

    /// Ends the share of a helper that is over, if it has had one. Where a server has given it nothing, or has broken off
    /// many, there are no more.
    func end(_ helper: any SplitHelper, _ error: NetworkError?) {
        guard let share = locked({ helpers[helper.id]?.share }) else { return }
        settle(share)
        condition.lock()
        helpers[helper.id] = nil
        let present = map[share.id]
        if let error, !error.isCancellation, present.map({ $0.written == $0.start }) ?? true { isRefused = true }
        if let present { noteEnd(of: present) }
        if brokenCount >= Self.maximumBrokenCount { isRefused = true }
        endedCount += 1
        let wait = wait.take()
        condition.unlock()
        askForHelper()
        wait?.end(nil)
    }

    private func noteEnd(of share: Share) {
        map.end(share.id)
        brokenCount = share.isWhole ? 0 : brokenCount + 1
    }

    // MARK: Helpers

    /// Has a helper wait for a slot, where one would find something to do.
    func askForHelper() {
        condition.lock()
        guard isOpen, !isRefused, failure == nil, waitingHelper == nil, !isAsking, let rule, let owner,
            map.shares.count < rule.maxParts, !map.holes.isEmpty || map.largestHalf >= rule.minPartSize
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

    /// Has `wait` ended when a helper's share has ended since there were `endCount` of them, or when no helper is left.
    func start(_ wait: HelperWait, endCount: Int) {
        condition.lock()
        let isDue = !isOpen || helpers.isEmpty || endedCount != endCount
        if !isDue { self.wait = wait }
        condition.unlock()
        if isDue { wait.end(nil) }
    }

    // MARK: Content

    /// Takes what belongs to a share; `.stop` means that it has all its bytes.
    func write(_ bytes: UnsafeRawBufferPointer, of share: Share) throws(NetworkError) -> ExchangeDisposition {
        condition.lock()
        if let failure {
            condition.unlock()
            throw failure
        }
        let isOwn = !helpers.values.contains { $0.share.id == share.id }
        guard isOpen, let count = map.accept(bytes.count, for: share.id, takesBack: isOwn) else {
            condition.unlock()
            return .stop
        }
        let idle = isOwn ? helpers.values.filter { map[$0.share.id] == nil }.map(\.helper) : []
        let writer = writers[share.id] ?? makeWriter(share.id)
        receivedCount += Int64(count)
        let isDone = map[share.id]?.rest == 0
        let owner = owner
        condition.unlock()
        for helper in idle { helper.cancel() }
        try writer.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        owner?.requestDid(.didReceive(byteCount: count))
        return isDone ? .stop : .proceed
    }

    private func makeWriter(_ id: Int) -> WriteBehind {
        // It and the share's records together stay below a mebibyte.
        let writer = WriteBehind(bufferSize: 256 * 1024) { [self] bytes throws(NetworkError) in
            try store(bytes, of: id)
        }
        writers[id] = writer
        return writer
    }

    /// Writes the next bytes of a share. What comes too late is dropped.
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

    /// Returns when all that has come of a share is written.
    private func settle(_ share: Share) {
        locked { writers.removeValue(forKey: share.id) }?.settle()
    }

    /// Writes into the sidecar which bytes are there; returns whether that could be done. With the lock held, which it
    /// gives up meanwhile.
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
        // Half of a line may be there, which spoils what follows it.
        if !isDone, !mustDescribe { amendedLength = .max }
        isRecording = false
        condition.broadcast()
        return isDone
    }

    // MARK: The end

    /// Lets nobody write any more, and returns when nobody does. The part is the caller's; `false` if it has been before.
    func close() -> Bool {
        condition.lock()
        let wasOpen = isOpen
        isOpen = false
        while writerCount > 0 || isRecording { condition.wait() }
        let former = (
            helpers: Array(helpers.values), waiting: waitingHelper.take(), owner: owner.take(), wait: wait.take(),
            writers: writers
        )
        writers = [:]
        condition.unlock()
        withExtendedLifetime(former.writers) {}
        for helper in former.helpers { helper.helper.cancel() }
        former.waiting?.cancel()
        former.wait?.end(nil)
        return wasOpen
    }

    /// Leaves what is there for a later attempt.
    func abandon() {
        for writer in locked({ Array(writers.values) }) { writer.settle() }
        guard close(), part.isOpen else { return }
        let present = locked { map.present }
        var known = description
        if known.ranges != nil { known.ranges = present }
        if present.isEmpty { part.remove() } else { part.keep(known) }
    }

    /// Removes what is there.
    func discard() {
        if close() { part.remove() }
    }
}

/// What fetches shares of another one's download, in a slot of its own.
protocol SplitHelper: AnyObject, Sendable {
    var id: RequestID { get }
    func cancel()
}

/// The time in which a download has no exchange of its own, while its helpers do the rest. To its run it is one.
final class HelperWait: ExchangeHandle {
    private let report: Guarded<(@Sendable (URLError?) -> Void)?>

    init(_ report: @escaping @Sendable (URLError?) -> Void) {
        self.report = Guarded(report)
    }

    func cancel() { end(URLError(.cancelled)) }

    func end(_ error: URLError?) {
        report.withLock { $0.take() }?(error)
    }
}

/// Takes the content of the download's own exchanges, and publishes the file when all of it is there.
final class SplitSink: BodySink, @unchecked Sendable {  // see BodySink
    private let split: SplitDownload
    private let plan: FilePlan
    /// What the exchange under way fetches; `nil` where there is none.
    var share: SplitDownload.Share?

    init(_ split: SplitDownload, _ share: SplitDownload.Share, _ plan: FilePlan) {
        self.split = split
        self.share = share
        self.plan = plan
    }

    func takeShare() -> SplitDownload.Share? { share.take() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        guard let share else { return .stop }
        return try split.write(bytes, of: share)
    }

    func finish() -> SinkCompletion {
        guard split.close() else { return .done(.failure(.cancelled)) }
        return FileSink(split.part, plan).finish()
    }

    func abandon() { split.abandon() }
    func discard() { split.discard() }
}

/// Takes the content of a helper's exchange.
final class HelperSink: BodySink {
    private let split: SplitDownload
    private let share: SplitDownload.Share

    init(_ split: SplitDownload, _ share: SplitDownload.Share) {
        self.split = split
        self.share = share
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        try split.write(bytes, of: share)
    }

    func finish() -> SinkCompletion { .done(.success(StoredContent())) }
    func abandon() {}
    func discard() {}
}
