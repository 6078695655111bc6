import Foundation

/// Where the content of an attempt goes, and which bytes of it are there from before.
struct DownloadTarget: Sendable {
    /// What a head means for the content behind it.
    enum HeadMeaning {
        /// It is a response like any other.
        case take
        /// It cannot be put behind the bytes that are there: this exchange brings all of it.
        case startOver(HTTPExchange)
        /// Nothing is missing, and the content is not wanted.
        case complete
        /// It fails the attempt; its content is read as an error page is.
        case reject(NetworkError)
        /// It fails the attempt, and its content is of no use.
        case refuse(NetworkError)
    }

    /// A sink for the content of a response, and what is in it already.
    struct OpenedSink {
        var sink: any BodySink
        var offset: Int64 = 0
        /// The file that those bytes are in.
        var part: PartFile?
        /// How many bytes are missing, where that is not the length of the response.
        var rest: Int64?
        /// Whether others may bring content, too.
        var isSplit = false
    }

    /// The names of its files, once they have been asked for.
    private var names: PartNames?
    /// Whether a response has said what the file is called, or said nothing of it.
    private var isNameSettled = false
    /// The URL that a part belongs to, for the exchange under way; `nil` when it leaves none.
    private var partURL: String?
    /// What the exchange under way asks for the rest of.
    var point: ResumePoint?
    var isContinuing = false
    /// Whether there was no part when the exchange under way was made.
    private var isPartMissing = false
    /// The file that is kept if the server says that it is current.
    private var existing: ExistingFile?
    /// Whether the exchange asks for something newer than that file.
    private var asksForNewer = false
    /// Whether it has been looked for that file, and there was none.
    private var isMissing = false
    /// Whether the server has said so.
    private(set) var isKeeping = false
    /// Whether what the exchange under way brings can be continued by the next attempt.
    private(set) var leavesPart = false
    /// Whether the URL is a mirror of the request's own.
    var isMirror = false
    /// Whether the content goes on behind that of another server, so that its checksum decides alone.
    private(set) var isJudgedByChecksum = false
    /// The user's sink in the latest attempt.
    private var userSink: UserSink?
    /// Lets the exchange go on that a user's sink has held.
    private let resumer: ExchangeResumer?
    /// Whether the transport decodes content by itself.
    private let isDecoded: Bool
    /// What may be split, and how; `nil` where nothing is.
    let rule: NetworkRequest.Splitting?
    /// Whose slots helpers get, and who is told of what they bring.
    let owner: (any RequestRunDelegate)?
    /// What the exchange of a helper is for; `nil` for every other.
    let help: Help?
    /// The download that several exchanges fetch; `nil` as long as one does.
    var split: SplitDownload?
    var splitSink: SplitSink?

    /// - Parameters:
    ///   - resumer: for content that goes to a sink of the user's.
    ///   - owner: of a download; `nil` where there are no slots for others.
    init(
        _ resumer: ExchangeResumer?, isDecoded: Bool, rule: NetworkRequest.Splitting? = nil,
        owner: (any RequestRunDelegate)? = nil, help: Help? = nil
    ) {
        self.resumer = resumer
        self.isDecoded = isDecoded
        self.rule = rule
        self.owner = owner
        self.help = help
    }

    /// The file that takes the place of a response if it is current; `nil` where there is none, or the request keeps
    /// none.
    mutating func existingFile(for request: NetworkRequest) -> ExistingFile? {
        guard case .file(let url, onConflict: _, resumes: _) = request.destination, request.mayKeepFile,
            isNameSettled || !request.usesSuggestedFileName, let names = try? names(for: url)
        else { return nil }
        let file = ExistingFile(names)
        isMissing = file == nil
        return file
    }

    /// Takes the file's name from a response, where the request wants that.
    mutating func settleName(by head: ResponseHead, for request: NetworkRequest) {
        guard request.usesSuggestedFileName, (200..<300).contains(head.statusCode),
            case .file(let url, onConflict: _, resumes: _) = request.destination
        else { return }
        isNameSettled = true
        if let name = head.suggestedFileName { names = (try? names(for: url))?.leading(to: name) }
    }

    /// The names are asked for more than once, and take time to find.
    private mutating func names(for destination: URL) throws(NetworkError) -> PartNames {
        if let names { return names }
        let found = try PartNames(destination)
        AbandonedParts.removeOnce(in: found.folder)
        names = found
        return found
    }

    /// Has this attempt keep a file if its response says that it is current.
    ///
    /// - Parameter asksForNewer: whether its exchanges ask for something newer alone. Not if a HEAD has told another
    ///   size: of a file that was changed here a server may say that it has nothing newer.
    mutating func keepIfCurrent(_ file: ExistingFile, asksForNewer: Bool) {
        existing = file
        self.asksForNewer = asksForNewer
    }

    /// The target of the next attempt.
    var successor: DownloadTarget {
        var target = self
        target.letGo()
        target.existing = nil
        target.asksForNewer = false
        return target
    }

    /// The first exchange of an attempt, which asks for the rest where an earlier one has left a beginning.
    ///
    /// - Throws: `.resourceShortage` if what an earlier attempt has left cannot be opened for that reason; nothing
    ///   else.
    mutating func prepare(
        _ exchange: HTTPExchange, for request: NetworkRequest
    ) throws(NetworkError) -> HTTPExchange {
        letGo()
        var exchange = exchange
        if let help {
            prepare(help, &exchange)
            return exchange
        }
        if let existing, asksForNewer {
            exchange.headers["If-Modified-Since"] = HTTPDate.text(existing.modificationDate)
        }
        if let coded = withAcceptedCodings(exchange, for: request) { return coded }
        guard case .file(let url, onConflict: _, resumes: true) = request.destination,
            exchange.method == "GET", exchange.body == nil,
            !["Range", "If-Range", "If-Unmodified-Since"].contains(where: exchange.headers.contains)
        else { return exchange }
        let owner = PartOwner(of: exchange, for: request, isMirror: isMirror)
        partURL = owner.name
        // What is wrong with the destination is told when there is content for it.
        guard let names = try? names(for: url) else { return exchange }
        isPartMissing = POSIXFile.status(names.part) == nil
        if !isPartMissing { point = try ResumePoint.find(names, owner) }
        point?.addRangeFields(to: &exchange)
        return exchange
    }

    /// Lets go of the bytes that are there, so that another request may continue them.
    mutating func letGo() {
        endSplit()
        point = nil
        partURL = nil
        isContinuing = false
        isPartMissing = false
        isKeeping = false
        leavesPart = false
        isJudgedByChecksum = false
    }

    /// Looks at the head of a response to `exchange` that is not a redirect.
    mutating func judge(
        _ head: ResponseHead, of exchange: HTTPExchange, for request: NetworkRequest
    ) -> HeadMeaning {
        if help != nil { return judgeShare(head) }
        if head.statusCode == 304 { return judgeNotModified(head, of: exchange, for: request) }
        if split == nil, keepsFile(accordingTo: head, for: request) { return .complete }
        guard let point else { return judgeWhole(head, of: exchange) }
        if isRefusal(head) { return .refuse(.badResponse("It is not the part of the content that was asked for.")) }
        switch head.statusCode {
        case 200..<300 where point.isContinued(by: head):
            isContinuing = true
            return .take
        case 204, 205, 206:
            return startOver(exchange)
        case 200..<300 where head.isPartial || point.mayBeSlice(head):
            return startOver(exchange)
        case 416 where point.isCompleted(by: head):
            isContinuing = true
            self.point?.takeAll()
            return .complete
        case 416:
            return startOver(exchange)
        case 412 where !exchange.headers.contains("If-Match"):
            return startOver(exchange)
        default:
            return .take
        }
    }

    /// Asks for all of the content, without a condition of the library's own.
    private mutating func startOver(_ exchange: HTTPExchange) -> HeadMeaning {
        var whole = exchange
        point?.removeRangeFields(from: &whole)
        endSplit()
        point = nil
        if asksForNewer { whole.headers.removeAll(named: "If-Modified-Since") }
        asksForNewer = false
        return .startOver(whole)
    }

    /// A 304 means something only where a condition has asked for it (RFC 9110, section 15.4.5).
    private mutating func judgeNotModified(
        _ head: ResponseHead, of exchange: HTTPExchange, for request: NetworkRequest
    ) -> HeadMeaning {
        if asksForNewer, let existing, existing.comparison(with: head, isWhole: false) != .hasOtherDate {
            isKeeping = true
            return .take
        }
        // WEBrick 1.8 answers a resume so whose `If-Range` is right.
        if asksForNewer || point != nil { return startOver(exchange) }
        let isAsked = exchange.headers.contains("If-None-Match") || exchange.headers.contains("If-Modified-Since")
        return isAsked || request.isSizeProbe ? .take : .reject(NetworkError(.httpStatus(304)))
    }

    /// Looks at a response to an exchange that has not asked for a part on the library's behalf.
    private func judgeWhole(_ head: ResponseHead, of exchange: HTTPExchange) -> HeadMeaning {
        guard head.isPartial, !exchange.headers.contains("Range"), exchange.method != "HEAD" else { return .take }
        return .refuse(.badResponse("It is only a part of the content, and none was asked for."))
    }

    /// Settles the file's name by an accepted head, and decides whether the file that has it is kept, which could not
    /// be asked for before: the content is not wanted then.
    private mutating func keepsFile(accordingTo head: ResponseHead, for request: NetworkRequest) -> Bool {
        if request.usesSuggestedFileName {
            settleName(by: head, for: request)
            // A checksum takes too long for the transport's thread: the content is fetched and checked.
            if existing == nil, request.expectedChecksum == nil { existing = existingFile(for: request) }
        }
        guard let existing, existing.comparison(with: head, isWhole: true) == .same else { return false }
        isKeeping = true
        return true
    }

    /// What a validation finds wrong with a head. It is not to see that the library has asked for a part.
    func rejection(of head: ResponseHead, by validation: ResponseValidation) -> NetworkError? {
        guard isContinuing else { return validation.rejection(of: head) }
        var whole = head
        whole.statusCode = 200
        return validation.rejection(of: whole)
    }

    /// Makes the place for the content behind an accepted head, which answers that exchange.
    ///
    /// - Parameter isCoded: whether the head has a `Content-Encoding` field.
    mutating func open(
        for head: ResponseHead, to exchange: HTTPExchange, expecting length: Int64?, isCoded: Bool,
        _ request: NetworkRequest
    ) throws(NetworkError) -> OpenedSink {
        if let help { return OpenedSink(sink: HelperSink(help.split, help.share)) }
        if isKeeping, let existing { return OpenedSink(sink: KeptFile(existing), offset: existing.size) }
        isJudgedByChecksum = isContinuing && point?.owner.isChecksum == true
        let isHEAD = exchange.method == "HEAD"
        let check = check(of: head, to: exchange, for: request)
        let coding = isHEAD || !isCoded ? nil : try codingToDecode(of: head, to: exchange, request)
        // The content of a 416 is an error page.
        if coding == nil, head.statusCode != 416, let length, let size = check?.expectedSize {
            let all = isContinuing ? point?.wholeLength(with: length) ?? length : length
            if all != size {
                point?.part.remove()
                throw .mismatch(.size(expected: size, actual: all))
            }
        }
        if request.hasNumberedFileName, case .file(let url, onConflict: _, resumes: _) = request.destination {
            let wanted = try PartNames(url).destination
            if try names(for: url).destination == wanted { names?.isNumbered = true }
        }
        var opened = try open(
            request.destination, for: head, expecting: coding == nil ? length : nil,
            isReadAgain: check?.isOfBytes == true)
        // The size of what is split has been looked at above.
        if let check, !opened.isSplit || check.isOfBytes {
            opened.sink = CheckedSink(opened.sink, check: check, continuing: opened.part, from: opened.offset)
        }
        if let coding {
            opened.sink = LimitedSink(opened.sink, limit: request.maxDecodedSize)
            if !isDecoded { opened.sink = InflatingSink(opened.sink, isGzip: coding == .gzip) }
        }
        return opened
    }

    /// A sink for a part that has all bytes already, as a HEAD tells; `nil` if something has to be asked for.
    mutating func openWholePart(
        accordingTo head: ResponseHead, _ exchange: HTTPExchange, _ request: NetworkRequest
    ) throws(NetworkError) -> OpenedSink? {
        // The head is that of the request's own URL.
        guard !isMirror, point?.isWhole(accordingTo: head) == true else { return nil }
        point?.takeAll()
        isContinuing = true
        return try open(for: head, to: exchange, expecting: 0, isCoded: false, request)
    }

    /// What the content behind a head is checked for.
    private func check(
        of head: ResponseHead, to exchange: HTTPExchange, for request: NetworkRequest
    ) -> ContentCheck? {
        // A HEAD that an adapter has made has not what the user expects.
        guard request.expectsContent, head.statusCode != 304, exchange.method != "HEAD" || request.method != "HEAD"
        else { return nil }
        // The size is that of all, and of a success.
        let isSuccess = (200..<300).contains(head.statusCode)
        let isWhole = point != nil || !exchange.headers.contains("Range")
        let hasSize = isContinuing || isSuccess && isWhole
        return ContentCheck(request, ofSize: hasSize)
    }

    /// The exchange with the codings that can be decoded, where compressed content is welcome.
    ///
    /// It asks for no part: which bytes of the file are there says nothing of where they are in compressed content.
    private func withAcceptedCodings(_ exchange: HTTPExchange, for request: NetworkRequest) -> HTTPExchange? {
        guard request.acceptsCompressed, !exchange.headers.contains("Accept-Encoding"),
            !exchange.headers.contains("Range"), let codings = ContentCoding.accepted
        else { return nil }
        var exchange = exchange
        exchange.headers["Accept-Encoding"] = codings
        return exchange
    }

    /// The coding of content that is to be decoded: where it was asked for, and where a server that was asked for none
    /// uses one all the same and the content goes to memory. Files and sinks get what was sent, of which a checksum may
    /// be known.
    private func codingToDecode(
        of head: ResponseHead, to exchange: HTTPExchange, _ request: NetworkRequest
    ) throws(NetworkError) -> ContentCoding? {
        guard let coding = ContentCoding(head.headers) else { return nil }
        if request.acceptsCompressed {
            if case .unknown = coding { throw Inflater.damaged }
            return coding
        }
        // A request with a field of its own leaves the decoding to its author, and a part of coded content cannot be
        // decoded.
        guard case .memory = request.destination, !exchange.headers.contains("Accept-Encoding"),
            head.statusCode != 206, ContentCoding.accepted != nil
        else { return nil }
        if case .unknown = coding { return nil }
        return coding
    }

    private mutating func open(
        _ destination: Destination, for head: ResponseHead, expecting length: Int64?, isReadAgain: Bool
    ) throws(NetworkError) -> OpenedSink {
        switch destination {
        case .memory: return OpenedSink(sink: MemorySink(expecting: length))
        case .discard: return OpenedSink(sink: DiscardingSink())
        // What the caller has is still right; nothing has come to take its place.
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

    private mutating func openFile(
        _ url: URL, _ policy: Destination.ConflictPolicy, for head: ResponseHead, expecting length: Int64?,
        isReadAgain: Bool
    ) throws(NetworkError) -> OpenedSink {
        let names = try names(for: url)
        endSplit()
        defer { point = nil }
        let modified = head.headers["Last-Modified"].flatMap { HTTPDate.date(from: $0) }
        point?.part.names = names
        let plan = filePlan(names, policy, for: head, expecting: length, modified)
        leavesPart = isContinuing || plan.sidecar != nil
        if let split = try openSplit(plan, for: head, expecting: length) { return split }
        let small = point == nil ? SmallFileSink(plan) : nil
        // Before the content comes rather than after it, but for a small file whose link will tell by itself.
        if small == nil || policy.settled == .overwrite {
            try FileMove.check(names.destination, onConflict: policy, mayBeTwin: plan.keepsTwin)
        }
        if let small { return OpenedSink(sink: small) }
        if isContinuing, let point {
            return try point.open(policy, modified, isReadAgain: isReadAgain, keepsTwin: isMissing)
        }
        return OpenedSink(sink: try FileSink(startingOver: point?.part, plan))
    }

    private func filePlan(
        _ names: PartNames, _ policy: Destination.ConflictPolicy, for head: ResponseHead, expecting length: Int64?,
        _ modified: Date?
    ) -> FilePlan {
        // A whole 206 as well. Where a transport decodes content, its length is not that of the file.
        let coding = ContentCoding.name(in: head.headers)
        let isStoredAsSent = [200, 206].contains(head.statusCode) && (coding == nil || !isDecoded)
        var sidecar: Sidecar?
        let total = isContinuing ? length.map { point?.wholeLength(with: $0) ?? $0 } : length
        let validators = Validators(head.headers)
        // Coded content of unknown length may be compressed anew for each response.
        if isStoredAsSent, coding == nil || length != nil, let partURL, validators.areUsable {
            sidecar = Sidecar(url: partURL, validators: validators, total: total, coding: coding)
        }
        return FilePlan(
            names: names, policy: policy, sidecar: sidecar, total: isStoredAsSent ? total : nil, modified: modified,
            isPartMissing: isPartMissing, keepsTwin: isMissing)
    }
}
