import Foundation

/// The bytes of an earlier attempt that the next one may continue.
struct ResumePoint: Sendable {
    /// How much of a part that has all bytes is asked for again. Answers about the range behind the last byte differ
    /// from server to server (416 with or without `Content-Range`, 200, an impossible 206), and WhiteNoise 6.12 refuses
    /// a range of one byte.
    private static let overlap: Int64 = 2

    let part: PartFile
    /// Whose part it is from now on.
    let owner: PartOwner
    var sidecar: Sidecar
    /// How many bytes there are.
    let length: Int64
    /// The first byte to ask for.
    private(set) var offset: Int64
    /// The first byte not to ask for, where that is not the end of the content.
    private(set) var end: Int64?
    /// The name of the field by which the exchange asks for this state alone.
    private(set) var condition: String?

    /// What there is for an owner; `nil` when there is nothing that can be continued.
    ///
    /// - Throws: `.fileSystem` with `EMFILE` or `ENFILE`; nothing else.
    static func find(_ names: PartNames, _ owner: PartOwner) throws(NetworkError) -> ResumePoint? {
        guard let part = try PartFile.existing(names) else { return nil }
        // Read only now: no other download changes it while this one has the part's lock.
        guard var sidecar = try Sidecar.read(part.info), owner.owns(sidecar) else { return nil }
        sidecar.cutRanges(to: part.length)
        let length = sidecar.trustedLength(of: part.length)
        let offset = length == sidecar.total ? length - Self.overlap : length
        // Of what other exchanges have brought, the next one asks for what is missing before it.
        let end = sidecar.trustedRest
        guard offset > 0 || end != nil, length <= sidecar.total ?? .max, offset == 0 || part.canContinue(at: offset)
        else {
            return nil
        }
        return ResumePoint(part: part, owner: owner, sidecar: sidecar, length: length, offset: offset, end: end)
    }

    /// What an exchange of a download that is split asks for.
    init(_ share: SplitDownload.Share, of split: SplitDownload) {
        part = split.part
        owner = split.partOwner
        sidecar = split.description
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

    /// Adds the fields that ask for the rest, provided that the resource is still the same (RFC 9110, section 13.1.5).
    mutating func addRangeFields(to exchange: inout HTTPExchange) {
        // Before `If-Range`, which weborf 0.19 takes for it.
        exchange.headers["Range"] = "bytes=\(offset)-\(end.map { String($0 - 1) } ?? "")"
        if !owner.isChecksum { condition = sidecar.validators.addCondition(to: &exchange.headers) }
    }

    /// Takes out what ``addRangeFields(to:)`` has added.
    func removeRangeFields(from exchange: inout HTTPExchange) {
        exchange.headers.removeAll(named: "Range")
        if let condition { exchange.headers.removeAll(named: condition) }
    }

    /// The length of the whole, if what was asked for has this length.
    func wholeLength(with length: Int64) -> Int64 { end == nil ? offset + length : sidecar.total ?? offset + length }

    /// Makes it the end of the part: nothing is missing.
    mutating func takeAll() { offset = length }

    /// Whether a response brings what was asked for of the same state of the resource, and nothing else.
    ///
    /// A server that does not say so plainly is not believed, since what it sends would be glued to other bytes.
    func isContinued(by head: ResponseHead) -> Bool {
        guard case .part(offset, let last, let total?) = ContentRange(head.headers["Content-Range"]),
            last == (end ?? total) - 1, sidecar.total ?? total == total
        else { return false }
        if let length = head.expectedContentLength, length != last + 1 - offset { return false }
        return owner.accepts(head.headers, behind: sidecar) && sidecar.coding == ContentCoding.name(in: head.headers)
    }

    /// Whether the head of a HEAD means that nothing is missing.
    func isWhole(accordingTo head: ResponseHead) -> Bool {
        length == sidecar.total ?? length && head.statusCode == 200 && head.expectedContentLength == length
            && owner.accepts(head.headers, behind: sidecar) && sidecar.coding == ContentCoding.name(in: head.headers)
    }

    /// Whether a 416 means that nothing is missing.
    func isCompleted(by head: ResponseHead) -> Bool {
        guard case .unsatisfied(length) = ContentRange(head.headers["Content-Range"]),
            sidecar.total ?? length == length
        else { return false }
        return owner.accepts(head.headers, behind: sidecar)
    }

    /// Whether a response that claims to be the whole may be the slice that was asked for: it is about the same state,
    /// and it is not certain to have its length. Behind the last byte the slice is empty.
    func mayBeSlice(_ head: ResponseHead) -> Bool {
        if head.expectedContentLength == 0 { return true }
        if let total = sidecar.total, head.expectedContentLength == total { return false }
        return owner.accepts(head.headers, behind: sidecar) || sidecar.validators.hasStrongTag(of: head.headers)
    }

    /// A sink that goes on behind what is there.
    func open(
        _ policy: Destination.ConflictPolicy, _ modified: Date?, isReadAgain: Bool, keepsTwin: Bool
    ) throws(NetworkError) -> DownloadTarget.OpenedSink {
        try part.truncate(to: offset)
        var sidecar = sidecar
        // From here on it is this run of the system that the file's length is true in.
        sidecar.boot = Sidecar.currentBoot
        sidecar.ranges = nil
        sidecar.url = owner.name
        let isKept = sidecar == self.sidecar || part.describe(sidecar)
        let plan = FilePlan(
            names: part.names, policy: policy, sidecar: isKept ? sidecar : nil, total: sidecar.total,
            modified: modified ?? sidecar.validators.modified, keepsTwin: keepsTwin,
            isReadAgain: isReadAgain)
        return DownloadTarget.OpenedSink(sink: FileSink(part, plan), offset: offset, part: part)
    }
}
