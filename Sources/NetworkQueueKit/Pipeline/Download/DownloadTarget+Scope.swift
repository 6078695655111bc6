/// Asks for all of the content again.
extension DownloadTarget {
    /// What the exchanges of an attempt ask for.
    enum Scope: Sendable {
        /// The bytes that are not stored.
        case rest
        /// All of the content, from the server itself and not from a cache, because what came was damaged.
        case fresh
        /// All of the content without a range, of which the missing bytes are stored, because ranged exchanges fail.
        case all
    }

    /// Whether all of the content is to be requested again after a mismatch: once an operation, whatever the retry policy
    /// says. A cache in between may have a damaged copy.
    func mayAskAfresh(after error: NetworkError) -> Bool {
        error.code == .contentMismatch && error.hook == nil && !hasAskedAfresh && help == nil
    }

    /// Whether all of the content is to be requested because ranged exchanges fail. The bytes that are stored stay, so
    /// that this costs no more than their transfer.
    ///
    /// - Parameter isLast: whether no retry follows. Then one failed range is enough.
    func mayAskForAll(after error: NetworkError, isSplit: Bool, isLast: Bool) -> Bool {
        guard isSplit || point?.end != nil, !hasAskedForAll, help == nil else { return false }
        switch error.code {
        case .connectionLost, .timedOut, .badServerResponse:
            return rangeYield.brokenCount >= (isLast ? 1 : RangeYield.maximumBrokenCount)
        case .httpStatus: return isLast
        default: return false
        }
    }

    /// The size that the content of a response must have because the HEAD of this run gave it together with the same
    /// strong tag; `nil` if any size is taken.
    func announcedSize(of head: ResponseHead) -> Int64? {
        guard let announced, !hasAskedAfresh, !isMirror, (200..<300).contains(head.statusCode),
            ContentCoding.name(in: head.headers) == nil, announced.validators.hasStrongTag(of: head.headers)
        else { return nil }
        return announced.size
    }
}

/// The size and the strong tag of content, from the HEAD of the current run.
struct AnnouncedContent: Sendable {
    let size: Int64
    let validators: Validators

    /// Fails if the head does not give both.
    init?(_ head: ResponseHead) {
        guard head.statusCode == 200, let size = head.expectedContentLength, let tag = head.headers["ETag"],
            Validators.isStrongTag(tag), ContentCoding.name(in: head.headers) == nil
        else { return nil }
        self.size = size
        validators = Validators(entityTag: tag)
    }
}

/// Tracks whether ranged exchanges bring anything.
struct RangeYield: Sendable {
    /// How many ranged exchanges in a row may break off before all of the content is requested.
    static let maximumBrokenCount = 3

    /// The number of ranged exchanges in a row that were answered and brought less than 1 MiB before they broke off.
    private(set) var brokenCount = 0

    mutating func note(received: Int64, isWhole: Bool) {
        brokenCount = isWhole || received >= RetryCount.largeSize ? 0 : brokenCount + 1
    }
}
