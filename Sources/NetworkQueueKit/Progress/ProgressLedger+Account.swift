extension ProgressLedger.Account {
    /// Whether more events can come.
    var isOpen: Bool {
        switch state {
        case .waiting, .running, .paused, .retrying: true
        case .ended: false
        }
    }

    /// The size of the response body in bytes, as far as it is known.
    var downloadSize: Int64? { announced.bytes ?? presumed.bytes }

    /// Whether another state of this account, which was open, makes no difference to the sums of the download. Cheaper
    /// than to compare the shares.
    func downloadsSame(as other: Self) -> Bool {
        other.isOpen && downloaded == other.downloaded && presumed == other.presumed && announced == other.announced
            && isMissing == other.isMissing
    }

    /// The same for the upload.
    func uploadsSame(as other: Self) -> Bool {
        other.isOpen && uploaded == other.uploaded && uploadSize == other.uploadSize
    }

    /// What the request adds to the sums of the download.
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

    /// What the request adds to the sums of the upload.
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

/// A body's size as a server or a caller claims it, in eight bytes; an absurd claim counts as none.
struct ClaimedSize: Equatable {
    /// The largest claim that is believed: a pebibyte, ten days at 10 Gbit/s.
    static let limit: Int64 = 1 << 50

    private let raw: Int64

    /// A negative size, or one above ``limit``, becomes unknown.
    init(_ claim: Int64?) {
        if let claim, (0...Self.limit).contains(claim) { raw = claim } else { raw = -1 }
    }

    /// The size in bytes.
    var bytes: Int64? { raw < 0 ? nil : raw }
}

extension Int64 {
    /// The sum, or `max` where it would overflow. Neither side may be negative.
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

/// What a batch keeps about a request in the request's operation, so that nothing has to be looked up. Belongs to the
/// queue's lock.
struct BatchEntry {
    /// The batch's generation when the request was added; a reset begins a new one.
    let generation: Int
    /// How many failures had cancelled the rest when the request was added.
    let epoch: Int
    var account: ProgressLedger.Account
    /// Whether the body of its failure goes once the failure has been told of.
    var dropsBody = false
}
