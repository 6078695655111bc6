import Foundation

/// The bytes of an earlier attempt that the next one may continue.
struct ResumePoint: Sendable {
    /// How many bytes of a complete part are requested again. Servers answer differently to a range after the last byte
    /// (416 with or without `Content-Range`, 200, an impossible 206), and WhiteNoise 6.12 refuses a range of one byte.
    private static let overlap: Int64 = 2

    let part: PartFile
    /// The owner to which the part belongs once this download continues it.
    let owner: PartOwner
    var sidecar: Sidecar
    /// The number of bytes that are stored.
    let length: Int64
    /// The first byte to request.
    private(set) var offset: Int64
    /// The end of the requested range (exclusive), if it is not the end of the content.
    private(set) var end: Int64?
    /// The name of the header field that makes the range request conditional.
    private(set) var condition: String?
    /// How much of the content the response has.
    private(set) var extent = Extent.asAsked

    /// How much of the content a response has.
    enum Extent: Sendable, Equatable {
        /// The requested range.
        case asAsked
        /// Only the beginning of the requested range (RFC 9110, section 15.3.7), up to this position.
        case shorter(end: Int64)
        /// All of it, although some is stored.
        case all
    }

    /// Finds a part that an owner can continue; `nil` if there is none.
    ///
    /// - Throws: `.resourceShortage`; nothing else.
    static func find(_ names: PartNames, _ owner: PartOwner) throws(NetworkError) -> ResumePoint? {
        guard let part = try PartFile.existing(names) else { return nil }
        // Read it only now: no other download changes it while this one holds the part's lock.
        guard var sidecar = try Sidecar.read(part.info), owner.owns(sidecar) else { return nil }
        sidecar.cutRanges(to: part.length)
        let length = sidecar.trustedLength(of: part.length)
        let offset = length == sidecar.total ? length - Self.overlap : length
        // If bytes further on are stored, the next exchange requests only the gap before them.
        let end = sidecar.trustedRest
        guard offset > 0 || end != nil, length <= sidecar.total ?? .max, offset == 0 || part.canContinue(at: offset)
        else {
            return nil
        }
        return ResumePoint(part: part, owner: owner, sidecar: sidecar, length: length, offset: offset, end: end)
    }

    /// The range that an exchange of a split download requests.
    init(_ share: SplitDownload.Share, of split: SplitDownload) {
        part = split.part
        owner = split.partOwner
        sidecar = split.currentSidecar
        length = share.start
        offset = share.start
        end = share.limit
    }

    private init(part: PartFile, owner: PartOwner, sidecar: Sidecar, length: Int64, offset: Int64, end: Int64?) {
        self.part = part
        self.owner = owner
        self.sidecar = sidecar
        self.length = length
        self.offset = offset
        self.end = end
    }

    /// Requests the rest, on the condition that the resource has not changed (RFC 9110, section 13.1.5).
    mutating func addRangeFields(to exchange: inout HTTPExchange) {
        // Set before `If-Range`, which weborf 0.19 mistakes for `Range`.
        exchange.headers["Range"] = "bytes=\(offset)-\(end.map { String($0 - 1) } ?? "")"
        if !owner.isChecksum { condition = sidecar.validators.addCondition(to: &exchange.headers) }
    }

    /// Removes the fields that ``addRangeFields(to:)`` added.
    func removeRangeFields(from exchange: inout HTTPExchange) {
        exchange.headers.removeAll(named: "Range")
        if let condition { exchange.headers.removeAll(named: condition) }
    }

    /// The length of the whole content if the response has this length.
    func wholeLength(with length: Int64) -> Int64 {
        let whole = offset.addingSaturated(length)
        return end == nil && extent == .asAsked ? whole : sidecar.total ?? whole
    }

    /// Notes how much of the requested range a response has that continues the part.
    mutating func noteExtent(of head: ResponseHead) {
        guard case .part(_, let last, let total?) = ContentRange(head.headers["Content-Range"]),
            last < (end ?? total) - 1
        else { return }
        extent = .shorter(end: last + 1)
        sidecar.total = total
    }

    /// Notes that a response has all of the content.
    mutating func noteAll() { extent = .all }

    /// Cuts a share down to what the response has, and leaves the rest of it to another exchange.
    func shorten(_ share: SplitDownload.Share, of split: SplitDownload) {
        if case .shorter(let end) = extent { split.shorten(share, to: end) }
    }

    /// Treats the part as complete, without an overlap to fetch.
    mutating func takeAll() { offset = length }

    /// Whether a response delivers the requested range, or the beginning of it, of the same state of the resource.
    ///
    /// A response that does not say so explicitly is not trusted, because its bytes would be joined to others.
    func isContinued(by head: ResponseHead) -> Bool {
        guard case .part(offset, let last, let total?) = ContentRange(head.headers["Content-Range"]),
            last == (end ?? total) - 1 || last < (end ?? total) && part.claim == .lock, sidecar.total ?? total == total
        else { return false }
        if let length = head.expectedContentLength, length != last + 1 - offset { return false }
        return owner.accepts(head.headers, behind: sidecar)
            && sidecar.coding.equals(bytesOf: ContentCoding.name(in: head.headers))
    }

    /// Whether a response delivers all of the content in the same state, so that the missing bytes can be taken from it.
    func isContained(in head: ResponseHead) -> Bool {
        head.statusCode == 200 && !head.headers.contains("Content-Range") && part.claim == .lock
            && sidecar.total != nil && head.expectedContentLength == sidecar.total
            && owner.accepts(head.headers, behind: sidecar)
            && sidecar.coding.equals(bytesOf: ContentCoding.name(in: head.headers))
    }

    /// Whether the response to a HEAD shows that the part is complete.
    func isWhole(accordingTo head: ResponseHead) -> Bool {
        length == sidecar.total ?? length && head.statusCode == 200 && head.expectedContentLength == length
            && owner.accepts(head.headers, behind: sidecar)
            && sidecar.coding.equals(bytesOf: ContentCoding.name(in: head.headers))
    }

    /// Whether a 416 shows that the part is complete.
    func isCompleted(by head: ResponseHead) -> Bool {
        guard case .unsatisfied(length) = ContentRange(head.headers["Content-Range"]),
            sidecar.total ?? length == length
        else { return false }
        return owner.accepts(head.headers, behind: sidecar)
    }

    /// Whether a response that claims to be the whole content may be the requested range: it describes the same state,
    /// and its length is not certainly that of the whole. After the last byte the range is empty.
    func mayBeSlice(_ head: ResponseHead) -> Bool {
        if head.expectedContentLength == 0 { return true }
        if let total = sidecar.total, head.expectedContentLength == total { return false }
        return owner.accepts(head.headers, behind: sidecar) || sidecar.validators.hasStrongTag(of: head.headers)
    }

    /// Opens a sink that appends to the stored bytes.
    func open(
        _ policy: Destination.ConflictPolicy, _ modified: Date?, isReadAgain: Bool, keepsTwin: Bool,
        beside stored: StoredFiles.View
    ) throws(NetworkError) -> DownloadTarget.OpenedSink {
        try part.truncate(to: offset)
        var sidecar = sidecar
        // From now on the file's length is valid for the current boot.
        sidecar.boot = Sidecar.currentBoot
        sidecar.ranges = nil
        sidecar.url = owner.name
        let isKept = sidecar == self.sidecar || part.describe(sidecar)
        let plan = FilePlan(
            names: part.names, policy: policy, stored: stored, sidecar: isKept ? sidecar : nil, total: sidecar.total,
            modified: modified ?? sidecar.validators.modified, keepsTwin: keepsTwin,
            isReadAgain: isReadAgain)
        return DownloadTarget.OpenedSink(sink: FileSink(part, plan), offset: offset, part: part)
    }
}
