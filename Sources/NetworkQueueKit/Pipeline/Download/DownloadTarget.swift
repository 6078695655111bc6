import Foundation

/// The destination of an attempt's content, and the bytes that are already stored there.
///
/// The attempts of a run share it. `@unchecked`, because it is confined to the thread that drives the request.
final class DownloadTarget: @unchecked Sendable {
    /// What a response head means for the content after it.
    enum HeadMeaning {
        /// Handle the response as usual.
        case take
        /// The content cannot continue the stored bytes; send this exchange to fetch all of it.
        case startOver(HTTPExchange)
        /// Nothing is missing; the content is not needed.
        case complete
        /// The attempt fails; the content is read as an error page.
        case reject(NetworkError)
        /// The attempt fails; the content is useless.
        case refuse(NetworkError)
    }

    /// A sink for a response's content, and the bytes it already holds.
    struct OpenedSink {
        var sink: any BodySink
        var offset: Int64 = 0
        /// The file that holds those bytes.
        var part: PartFile?
        /// The number of missing bytes, if it differs from the response's length.
        var rest: Int64?
        /// Whether other exchanges may contribute content.
        var isSplit = false
    }

    /// The names of the destination's files, once they were looked up.
    private var names: PartNames?
    /// Whether a response has settled the file name, with or without a suggestion.
    private var isNameSettled = false
    /// The name recorded in the sidecar of the current exchange's part (``PartOwner/name``); `nil` if it leaves no
    /// part.
    private(set) var partURL: String?
    /// The stored bytes that the current exchange continues.
    var point: ResumePoint?
    var isContinuing = false
    /// Whether there was no part when the current exchange was prepared.
    private var isPartMissing = false
    /// The file to keep if the server shows that it is current.
    var existing: ExistingFile?
    /// Whether the exchange asks only for content newer than that file.
    var asksForNewer = false
    /// Whether a file that turns out to be at the destination is kept if it has the same content: there was none
    /// before, or an earlier process may have finished this download.
    var keepsTwin = false
    /// Whether a response showed that the file is current.
    var isKeeping = false
    /// Whether the next attempt can continue what the current exchange stores.
    private(set) var leavesPart = false
    /// Whether the URL is a mirror of the request's URL.
    var isMirror = false
    /// Whether the content continues bytes from another server, so that only its checksum can validate it.
    private(set) var isJudgedByChecksum = false
    /// The user's sink of the latest attempt.
    private(set) var userSink: UserSink?
    /// Resumes an exchange that the user's sink has paused.
    private let resumer: ExchangeResumer?
    /// Whether the transport decodes content.
    let isDecoded: Bool
    /// How the download may be split; `nil` if it may not.
    let rule: NetworkRequest.Splitting?
    /// Provides slots for helpers and is told of the bytes that they fetch.
    let owner: (any RequestRunDelegate)?
    /// Measures the speed of parts.
    let timekeeper: any Timekeeper
    /// The share to fetch, if this is a helper's exchange.
    let help: Help?
    /// What the exchanges of the current attempt ask for, and those of the next.
    private(set) var scope = Scope.rest
    var nextScope = Scope.rest
    /// Whether some attempt has asked for all of the content again.
    private(set) var hasAskedAfresh = false
    private(set) var hasAskedForAll = false
    /// The success of the latest ranged exchanges.
    var rangeYield = RangeYield()
    /// The content that the HEAD of this run has described.
    var announced: AnnouncedContent?
    /// The split download; `nil` while a single exchange fetches it.
    var split: SplitDownload?
    /// What the other operations of the run have stored.
    let stored: StoredFiles.View
    var splitSink: SplitSink?

    /// - Parameters:
    ///   - resumer: for content that goes to a user's sink.
    ///   - owner: the delegate of a download; `nil` if there are no slots for helpers.
    ///   - stored: what the other operations of the run have stored.
    init(
        _ resumer: ExchangeResumer?, isDecoded: Bool, rule: NetworkRequest.Splitting? = nil,
        owner: (any RequestRunDelegate)? = nil, timekeeper: any Timekeeper, help: Help? = nil,
        beside stored: StoredFiles.View = StoredFiles.View()
    ) {
        self.stored = stored
        self.resumer = resumer
        self.isDecoded = isDecoded
        self.rule = rule
        self.owner = owner
        self.timekeeper = timekeeper
        self.help = help
    }

    /// The file that replaces a response if it is current; `nil` if it does not exist or the request does not keep
    /// files.
    func existingFile(for request: NetworkRequest) -> ExistingFile? {
        guard case .file(let url, onConflict: _, resumes: _) = request.destination, request.mayKeepFile,
            isNameSettled || !request.usesSuggestedFileName, let names = try? names(for: url)
        else { return nil }
        let file = ExistingFile(names)
        keepsTwin = file == nil || request.isRestored
        // The content is then fetched, and the policy for conflicts decides.
        return file.flatMap { stored.contains($0.path) ? nil : $0 }
    }

    /// Takes the file name from a response, if the request wants that.
    func settleName(by head: ResponseHead, for request: NetworkRequest) {
        guard request.usesSuggestedFileName, (200..<300).contains(head.statusCode), head.mayDescribeContent,
            case .file(let url, onConflict: _, resumes: _) = request.destination
        else { return }
        isNameSettled = true
        if let name = head.suggestedFileName { names = (try? names(for: url))?.leading(to: name) }
    }

    /// Caches the names, because finding them is slow.
    private func names(for destination: URL) throws(NetworkError) -> PartNames {
        if let names { return names }
        let found = try PartNames(destination)
        AbandonedParts.removeOnce(in: found.folder)
        names = found
        return found
    }

    /// Makes this attempt keep a file if its response shows that the file is current.
    ///
    /// - Parameter asksForNewer: whether the exchanges are conditional. Pass `false` if a HEAD reported another size:
    ///   for a file that was changed locally, the server may answer that it has nothing newer.
    func keepIfCurrent(_ file: ExistingFile, asksForNewer: Bool) {
        existing = file
        self.asksForNewer = asksForNewer
    }

    /// Notes an empty file, which this attempt keeps only if the content is empty, too.
    func note(_ emptyFile: ExistingFile) { keepIfCurrent(emptyFile, asksForNewer: false) }

    /// Makes the target that of the next attempt.
    func beginNextAttempt() {
        letGo()
        existing = nil
        asksForNewer = false
        scope = nextScope
        nextScope = .rest
        if scope == .fresh { hasAskedAfresh = true }
        if scope == .all { hasAskedForAll = true }
    }

    /// Prepares the first exchange of an attempt. It asks for the rest if an earlier attempt left a part.
    ///
    /// - Parameter name: the name of the part; `nil` if it belongs to the exchange's URL.
    /// - Throws: `.resourceShortage` if that is why the part cannot be opened; nothing else.
    func prepare(
        _ exchange: HTTPExchange, for request: NetworkRequest, named name: String? = nil
    ) throws(NetworkError) -> HTTPExchange {
        letGo()
        var exchange = exchange
        if let help {
            prepare(help, &exchange)
            return exchange
        }
        if let existing, asksForNewer, !exchange.headers.isSuppressed("If-Modified-Since") {
            exchange.headers["If-Modified-Since"] = HTTPDate.text(existing.modificationDate)
        }
        // Also for later attempts: the cache may still have its copy.
        if hasAskedAfresh, !exchange.headers.isSuppressed("Cache-Control") {
            exchange.headers["Cache-Control"] = "no-cache"
        }
        if let coded = withAcceptedCodings(exchange, for: request) { return coded }
        guard case .file(let url, onConflict: _, resumes: true) = request.destination,
            exchange.method == "GET", exchange.body == nil,
            ["Range", "If-Range", "If-Unmodified-Since"].allSatisfy(exchange.headers.mayGain)
        else { return exchange }
        let owner = PartOwner(of: exchange, for: request, isMirror: isMirror, named: name)
        partURL = owner.name
        // An unusable destination is reported when there is content for it.
        guard let names = try? names(for: url) else { return exchange }
        isPartMissing = POSIXFile.status(names.part) == nil
        if !isPartMissing, scope != .fresh { point = try ResumePoint.find(names, owner) }
        if scope != .all { point?.addRangeFields(to: &exchange) }
        return exchange
    }

    /// Drops content that was not delivered, and releases the stored bytes, so that another request may continue them.
    func letGo() {
        userSink?.drop()
        endSplit()
        point = nil
        partURL = nil
        isContinuing = false
        isPartMissing = false
        isKeeping = false
        leavesPart = false
        isJudgedByChecksum = false
    }

    /// Removes the part beside a file that has turned out to be current, unless another download is writing to it.
    ///
    /// A process that was killed has left it while another one finished the same file.
    func removePart() {
        // The part's lock would count as another download's.
        point = nil
        guard let names else { return }
        AbandonedParts.remove(names.part, .system)
    }

    /// Opens a sink for the content of an accepted response to `exchange`.
    ///
    /// - Parameter isCoded: whether the head has a `Content-Encoding` field.
    func open(
        for head: ResponseHead, to exchange: HTTPExchange, expecting length: Int64?, isCoded: Bool,
        _ request: NetworkRequest
    ) throws(NetworkError) -> OpenedSink {
        if let help { return OpenedSink(sink: HelperSink(help.split, help.share)) }
        if isKeeping, let existing {
            removePart()
            return OpenedSink(sink: KeptFile(existing), offset: existing.size)
        }
        isJudgedByChecksum = isContinuing && point?.owner.isChecksum == true
        let isHEAD = exchange.method == "HEAD"
        let check = check(of: head, to: exchange, for: request)
        let coding = isHEAD || !isCoded ? nil : try codingToDecode(of: head, to: exchange, request)
        // The content of a 416 is an error page, so its length says nothing.
        if coding == nil, head.statusCode != 416, let length, let size = check?.expectedSize {
            let all = isContinuing ? point?.wholeLength(with: length) ?? length : length
            if all != size {
                point?.part.remove()
                throw .mismatch(.size(expected: size, actual: all))
            }
        }
        if request.hasNumberedFileName, case .file(let url, onConflict: _, resumes: _) = request.destination {
            let wanted = try PartNames(url).destination
            if try names(for: url).destination.equals(bytesOf: wanted) { names?.isNumbered = true }
        }
        var opened = try open(
            request.destination, for: head, expecting: coding == nil ? length : nil,
            isReadAgain: check?.isOfBytes == true)
        if let check, check.isOfBytes, let part = opened.part {
            let partCheck = PartCheck(part, check)
            if opened.isSplit { split?.begin(partCheck) }
            opened.sink = CheckedPartSink(opened.sink, partCheck, from: opened.isSplit ? nil : opened.offset)
        } else if let check, !opened.isSplit {
            // The size of a split download was checked above.
            opened.sink = CheckedSink(opened.sink, check: check, from: opened.offset)
        }
        if let coding {
            opened.sink = LimitedSink(opened.sink, limit: request.maxDecodedSize)
            if !isDecoded { opened.sink = InflatingSink(opened.sink, isGzip: coding == .gzip) }
        }
        return opened
    }

    /// A sink for a part that is already complete according to a HEAD; `nil` if an exchange is needed.
    func openWholePart(
        accordingTo head: ResponseHead, _ exchange: HTTPExchange, _ request: NetworkRequest
    ) throws(NetworkError) -> OpenedSink? {
        // The HEAD went to the request's own URL, so it says nothing about a mirror.
        guard !isMirror, point?.isWhole(accordingTo: head) == true else { return nil }
        point?.takeAll()
        isContinuing = true
        return try open(for: head, to: exchange, expecting: 0, isCoded: false, request)
    }

    /// The check for the content of a response; `nil` if there is nothing to check.
    private func check(
        of head: ResponseHead, to exchange: HTTPExchange, for request: NetworkRequest
    ) -> ContentCheck? {
        // A HEAD request has no content to check. If an adapter turned a GET into a HEAD, the check runs and fails.
        guard request.expectsContent, head.statusCode != 304, exchange.method != "HEAD" || request.method != "HEAD"
        else { return nil }
        // The expected size is that of the whole content of a successful response.
        let isSuccess = (200..<300).contains(head.statusCode)
        let isWhole = point != nil || !exchange.headers.contains("Range")
        let hasSize = isContinuing || isSuccess && isWhole
        return ContentCheck(request, ofSize: hasSize)
    }

    private func open(
        _ destination: Destination, for head: ResponseHead, expecting length: Int64?, isReadAgain: Bool
    ) throws(NetworkError) -> OpenedSink {
        switch destination {
        case .memory: return OpenedSink(sink: MemorySink(expecting: length))
        case .discard: return OpenedSink(sink: DiscardingSink())
        // A 304 means that the caller's copy is still right; there is nothing to replace it with.
        case .file where head.statusCode == 304, .sink where head.statusCode == 304:
            return OpenedSink(sink: DiscardingSink())
        case .sink(let sink):
            let place = UserSink(sink, head: head, after: userSink) { [resumer] in resumer?.resume() }
            userSink = place
            return OpenedSink(sink: place)
        case .file(let url, let policy, resumes: _):
            return try openFile(url, policy, for: head, expecting: length, isReadAgain: isReadAgain)
        }
    }

    private func openFile(
        _ url: URL, _ policy: Destination.ConflictPolicy, for head: ResponseHead, expecting length: Int64?,
        isReadAgain: Bool
    ) throws(NetworkError) -> OpenedSink {
        let names = try names(for: url)
        endSplit()
        defer { point = nil }
        let validators = Validators(head.headers)
        let policy = existing?.isRemnant(of: head) == true ? .overwrite : policy
        let announcedSize = announcedSize(of: head)
        if let length, let announcedSize {
            let size = isContinuing ? point?.wholeLength(with: length) ?? length : length
            if size < announcedSize {
                point?.part.remove()
                throw .mismatch(.size(expected: announcedSize, actual: size))
            }
        }
        point?.part.names = names
        var plan = filePlan(names, policy, for: head, expecting: length, validators)
        plan.minimumSize = length == nil ? announcedSize : nil
        leavesPart = isContinuing || plan.sidecar != nil
        if let split = try openSplit(plan, for: head, expecting: length, isReadInOrder: isReadAgain) { return split }
        let small = point == nil ? SmallFileSink(plan) : nil
        // Check before the content comes, not after. A small file needs no check: its `link` call reports the conflict.
        if small == nil || policy.settled == .overwrite {
            try FileMove.check(
                names.destination, onConflict: policy, beside: stored, mayBeTwin: plan.keepsTwin)
        }
        if let small { return OpenedSink(sink: small) }
        if isContinuing, let point, point.extent != .all {
            return try point.open(
                policy, validators.modified, isReadAgain: isReadAgain, keepsTwin: keepsTwin, beside: stored)
        }
        return OpenedSink(sink: try FileSink(startingOver: point?.part, plan))
    }

    private func filePlan(
        _ names: PartNames, _ policy: Destination.ConflictPolicy, for head: ResponseHead, expecting length: Int64?,
        _ validators: Validators
    ) -> FilePlan {
        // A complete 206 counts, too. If the transport decodes content, the response's length is not that of the file.
        let coding = ContentCoding.name(in: head.headers)
        let isStoredAsSent = [200, 206].contains(head.statusCode) && (coding == nil || !isDecoded)
        var sidecar: Sidecar?
        let total = isContinuing ? length.map { point?.wholeLength(with: $0) ?? $0 } : length
        // A server may compress content of unknown length anew for each response.
        if isStoredAsSent, coding == nil || length != nil, let partURL, validators.areUsable {
            sidecar = Sidecar(url: partURL, validators: validators, total: total, coding: coding)
        }
        return FilePlan(
            names: names, policy: policy, stored: stored, sidecar: sidecar, total: isStoredAsSent ? total : nil,
            modified: validators.modified, isPartMissing: isPartMissing, keepsTwin: keepsTwin)
    }
}
