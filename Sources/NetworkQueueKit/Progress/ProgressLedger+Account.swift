extension ProgressLedger.Account {
    /// Whether more events can come.
    var isOpen: Bool {
        switch state {
        case .waiting, .running, .retrying: true
        case .ended: false
        }
    }

    /// The size of the response body in bytes, as far as it is known.
    var downloadSize: Int64? { announced.bytes ?? presumed.bytes }

    /// Whether another state of this account, which was open, makes no difference to the sums of the download. Cheaper than to
    /// compare the shares.
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
        case .waiting, .running, .retrying:
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
        case .waiting, .running, .retrying:
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
        case .retrying: retrying += number
        case .ended(.finished): finished += number
        case .ended(.failed): failed += number
        case .ended(.cancelled): cancelled += number
        }
    }
}
