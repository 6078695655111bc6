extension ProgressLedger.Account {
    /// Whether further events are possible.
    var isOpen: Bool {
        switch state {
        case .waiting, .running, .paused, .retrying: true
        case .ended: false
        }
    }

    /// The size of the response body in bytes; `nil` if unknown.
    var downloadSize: Int64? { announced.bytes ?? presumed.bytes }

    /// Whether a change of this open account to `other` leaves the sums of the download as they are. Cheaper than
    /// comparing the shares.
    func downloadsSame(as other: Self) -> Bool {
        other.isOpen && downloaded == other.downloaded && presumed == other.presumed && announced == other.announced
            && isMissing == other.isMissing
    }

    /// Whether a change of this open account to `other` leaves the sums of the upload as they are.
    func uploadsSame(as other: Self) -> Bool {
        other.isOpen && uploaded == other.uploaded && uploadSize == other.uploadSize
    }

    /// The request's contribution to the sums of the download.
    var downloadShare: ByteTally.Share {
        switch state {
        case .ended(.failed), .ended(.cancelled):
            .nothing
        case .ended(.finished):
            .known(size: downloaded, transferred: downloaded, isSample: isDownloadEstimated)
        case .waiting, .running, .paused, .retrying:
            if let downloadSize {
                .known(size: downloadSize, transferred: downloaded, isSample: isDownloadEstimated)
            } else if isDownloadEstimated, isMissing, downloaded == 0 {
                .missing
            } else if isDownloadEstimated {
                .unknown(transferred: downloaded)
            } else {
                .unannounced(transferred: downloaded)
            }
        }
    }

    /// The request's contribution to the sums of the upload.
    var uploadShare: ByteTally.Share {
        switch state {
        case .ended(.failed), .ended(.cancelled):
            .nothing
        case .ended(.finished):
            .known(size: uploaded, transferred: uploaded, isSample: hasBody)
        case .waiting, .running, .paused, .retrying:
            if let size = uploadSize.bytes {
                .known(size: size, transferred: uploaded, isSample: hasBody)
            } else {
                .unknown(transferred: uploaded)
            }
        }
    }
}

extension QueueProgress.Counts {
    /// Counts `number` more requests in `state`.
    mutating func add(_ number: Int, to state: ProgressLedger.Account.State) {
        total += number
        switch state {
        case .waiting: waiting += number
        case .running: running += number
        case .paused: paused += number
        case .retrying: retrying += number
        case .ended(.finished): finished += number
        case .ended(.failed): failed += number
        case .ended(.cancelled): cancelled += number
        }
    }
}

/// The size of a body as a server or a caller claims it, in eight bytes. An absurd claim counts as unknown.
struct ClaimedSize: Equatable {
    /// The largest believable size: a pebibyte, ten days at 10 Gbit/s.
    static let limit: Int64 = 1 << 50

    private let raw: Int64

    /// A negative claim, or one above ``limit``, becomes unknown.
    init(_ claim: Int64?) {
        if let claim, (0...Self.limit).contains(claim) { raw = claim } else { raw = -1 }
    }

    /// The size in bytes; `nil` if unknown.
    var bytes: Int64? { raw < 0 ? nil : raw }
}

/// The account of a group, to which those of its requests belong.
///
/// Unchecked: the lock of the queue guards everything that changes.
class GroupAccount: @unchecked Sendable {
    /// The sums over the members. It follows the ledger of the queue.
    var ledger = ProgressLedger()
    /// Incremented when a failure cancels the other members.
    var epoch = 0
}

/// A batch's data about a request, kept in the operation so that nothing has to be looked up. Guarded by the queue's
/// lock.
struct BatchEntry {
    /// The batch's generation when the request was added. A reset begins a new one.
    let generation: Int
    /// The number of failures that had canceled the other operations when the request was added.
    let epoch: Int
    var account: ProgressLedger.Account
    /// The group of the request, until the last callback about it has returned.
    var group: GroupAccount?
    /// The number of failures that had canceled the others of the group when the request was added.
    var groupEpoch = 0
    /// Whether to drop the body of its error once the failure has been reported.
    var dropsBody = false
    /// Whether its failure or cancellation fails the requests of higher stages.
    var failsHigherStages = true
}
