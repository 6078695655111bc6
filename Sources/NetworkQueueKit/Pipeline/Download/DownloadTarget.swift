import Foundation

/// Where the content of an attempt goes, and which bytes of it are there from before.
struct DownloadTarget: Sendable {
    /// What a head means for the content behind it.
    enum Verdict {
        /// It is a response like any other.
        case take
        /// It cannot be put behind the bytes that are there: this exchange brings all of it.
        case startOver(HTTPExchange)
        /// Nothing is missing, and the content is not wanted.
        case complete
        case refuse(NetworkError)
    }

    /// A sink for the content of a response, and what is in it already.
    struct OpenedSink {
        var sink: any BodySink
        var offset: Int64 = 0
        /// The file that those bytes are in.
        var part: PartFile?
    }

    /// The names of its files, once they have been asked for.
    @Boxed private var names: PartNames?
    /// Whether a response has said what the file is called, or said nothing of it.
    private var isNameSettled = false
    /// The URL that a part belongs to, for the exchange under way; `nil` when it leaves none.
    private var partURL: String?
    /// What the exchange under way asks for the rest of.
    @Boxed private var point: ResumePoint?
    private var isContinuing = false
    /// Whether there was no part when the exchange under way was made.
    private var isPartMissing = false
    /// The file that is kept if the server says that it is current.
    @Boxed private var existing: ExistingFile?
    /// Whether the server has said so.
    private(set) var isKeeping = false
    /// The user's sink in the latest attempt.
    private var userSink: UserSink?
    /// Lets the exchange go on that a user's sink has held.
    let resumer: ExchangeResumer?
    /// Whether the transport decodes content by itself.
    private let isDecoded: Bool

    /// - Parameter hasSink: whether the content goes to a sink of the user's.
    init(hasSink: Bool, isDecoded: Bool) {
        resumer = hasSink ? ExchangeResumer() : nil
        self.isDecoded = isDecoded
    }

    /// The file that takes the place of a response if it is current; `nil` where there is none, or the request keeps none.
    mutating func existingFile(for request: borrowing NetworkRequest) -> ExistingFile? {
        guard case .file(let url, onConflict: _, resume: _) = request.destination, request.mayKeepFile,
            isNameSettled || !request.usesSuggestedFileName, let names = try? names(for: url)
        else { return nil }
        return ExistingFile(names)
    }

    /// Takes the file's name from a response, where the request wants that.
    mutating func settleName(by head: ResponseHead, for request: borrowing NetworkRequest) {
        guard request.usesSuggestedFileName, (200..<300).contains(head.statusCode),
            case .file(let url, onConflict: _, resume: _) = request.destination
        else { return }
        isNameSettled = true
        if let name = head.suggestedFileName { names = (try? names(for: url))?.leading(to: name) }
    }

    /// The names are asked for more than once, and take time to find.
    private mutating func names(for destination: URL) throws(NetworkError) -> PartNames {
        if let names { return names }
        let found = try PartNames(destination)
        names = found
        return found
    }

    /// Has the exchanges of this attempt ask whether the server has something newer than a file.
    mutating func keepIfCurrent(_ file: ExistingFile) {
        existing = file
    }

    /// The target of the next attempt.
    var successor: DownloadTarget {
        var target = self
        target.letGo()
        target.existing = nil
        return target
    }

    /// The first exchange of an attempt, which asks for the rest where an earlier one has left a beginning.
    ///
    /// - Throws: `.fileSystem` with `EMFILE` or `ENFILE`, where what an earlier one has left cannot be opened for that; nothing else.
    mutating func prepare(
        _ exchange: HTTPExchange, for request: NetworkRequest
    ) throws(NetworkError) -> HTTPExchange {
        letGo()
        var exchange = exchange
        if let existing { exchange.headers["If-Modified-Since"] = HTTPDate.text(existing.modificationDate) }
        if let coded = withAcceptedCodings(exchange, for: request) { return coded }
        guard case .file(let url, onConflict: _, resume: true) = request.destination,
            exchange.method == "GET",
            !exchange.hasBody, !exchange.headers.contains("Range"), !exchange.headers.contains("If-Range")
        else { return exchange }
        let requestURL = exchange.url.absoluteString
        partURL = requestURL
        // What is wrong with the destination is told when there is content for it.
        guard let names = try? names(for: url) else { return exchange }
        isPartMissing = POSIXFile.status(names.part) == nil
        if !isPartMissing { point = try ResumePoint.find(names, url: requestURL) }
        point?.addRangeFields(to: &exchange)
        return exchange
    }

    /// Lets go of the bytes that are there, so that another request may continue them.
    mutating func letGo() {
        point = nil
        partURL = nil
        isContinuing = false
        isPartMissing = false
        isKeeping = false
    }

    /// Looks at the head of a response to `exchange` that is not a redirect.
    mutating func judge(
        _ head: ResponseHead, of exchange: HTTPExchange, for request: NetworkRequest
    ) -> Verdict {
        if existing != nil, head.statusCode == 304 {
            isKeeping = true
            return .take
        }
        if keepsFile(calledBy: head, for: request) { return .complete }
        guard let point else {
            // A part that was not asked for would pass for the whole.
            let isPart = head.statusCode == 206 && !exchange.headers.contains("Range")
            return isPart && request.destination.wantsAll ? .refuse(NetworkError(.badServerResponse)) : .take
        }
        switch head.statusCode {
        case 206 where point.isContinued(by: head):
            isContinuing = true
            return .take
        case 416 where point.isCompleted(by: head):
            isContinuing = true
            return .complete
        case 206, 416:
            var whole = exchange
            whole.headers.removeAll(named: "Range")
            whole.headers.removeAll(named: "If-Range")
            self.point = nil
            return .startOver(whole)
        default:
            return .take
        }
    }

    /// Settles the file's name by an accepted head, and decides whether the file that has it is kept, which could not be asked for
    /// before: the content is not wanted then.
    private mutating func keepsFile(calledBy head: ResponseHead, for request: NetworkRequest) -> Bool {
        guard request.usesSuggestedFileName else { return false }
        settleName(by: head, for: request)
        // A checksum takes too long for the transport's thread: the content is fetched and checked.
        guard existing == nil, request.expectedChecksum == nil, let file = existingFile(for: request),
            file.isCurrent(accordingTo: head) == true
        else { return false }
        existing = file
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
    /// - Parameters:
    ///   - isCoded: whether the head has a `Content-Encoding` field.
    ///   - run: the one that waits where no descriptor is free; `nil` fails for want of one.
    mutating func open(
        for head: ResponseHead, to exchange: HTTPExchange, expecting length: Int64?, isCoded: Bool,
        _ request: NetworkRequest, in run: RequestRun? = nil
    ) throws(NetworkError) -> OpenedSink {
        if isKeeping, let existing { return OpenedSink(sink: KeptFile(existing), offset: existing.size) }
        let isHEAD = exchange.method == "HEAD"
        // A HEAD that an adapter has made has not what the user expects.
        let isChecked =
            request.expectedChecksum != nil && head.statusCode != 304
            && !(isHEAD && request.method == "HEAD")
        let check = isChecked ? ContentCheck(request) : nil
        let coding = isHEAD || !isCoded ? nil : try codingToDecode(of: head, to: exchange, request)
        var opened = try open(
            request.destination, for: head, expecting: coding == nil ? length : nil, isChecked: check != nil,
            in: run)
        if let check {
            opened.sink = CheckedSink(opened.sink, check: check, continuing: opened.part)
        }
        if let coding {
            opened.sink = LimitedSink(opened.sink, limit: request.maximumDecodedSize)
            if !isDecoded { opened.sink = InflatingSink(opened.sink, isGzip: coding == .gzip) }
        }
        return opened
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
    /// uses one all the same and the content goes to memory. Files and sinks get what was sent, of which a checksum may be known.
    private func codingToDecode(
        of head: ResponseHead, to exchange: HTTPExchange, _ request: NetworkRequest
    ) throws(NetworkError) -> ContentCoding? {
        guard let coding = ContentCoding(head.headers) else { return nil }
        if request.acceptsCompressed {
            if case .unknown = coding { throw Inflater.damaged }
            return coding
        }
        // A request with a field of its own leaves the decoding to its author, and a part of coded content cannot be decoded.
        guard case .memory = request.destination, !exchange.headers.contains("Accept-Encoding"),
            head.statusCode != 206, ContentCoding.accepted != nil
        else { return nil }
        if case .unknown = coding { return nil }
        return coding
    }

    private mutating func open(
        _ destination: Destination, for head: ResponseHead, expecting length: Int64?, isChecked: Bool,
        in run: RequestRun?
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
        case .file(let url, let policy, resume: _):
            return try openFile(url, policy, for: head, expecting: length, isChecked: isChecked, in: run)
        }
    }

    private mutating func openFile(
        _ url: URL, _ policy: Destination.ConflictPolicy, for head: ResponseHead, expecting length: Int64?,
        isChecked: Bool, in run: RequestRun?
    ) throws(NetworkError) -> OpenedSink {
        let names = try names(for: url)
        defer { point = nil }
        let modified = head.headers["Last-Modified"].flatMap { HTTPDate.date(from: $0) }
        point?.part.names = names
        let plan = filePlan(names, policy, for: head, expecting: length, modified)
        let small = point == nil ? SmallFileSink(plan, in: run?.environment) : nil
        // Before the content comes rather than after it, but for a small file whose link will tell by itself.
        if small == nil || policy.settled == .overwrite {
            try FileMove.check(names.destination, onConflict: policy)
        }
        if let small { return OpenedSink(sink: small) }
        if isContinuing, let point { return try point.open(policy, modified, isChecked: isChecked) }
        let part = point?.part
        do {
            return OpenedSink(sink: try FileSink(startingOver: part, plan))
        } catch {
            guard let run, part == nil, error.isDescriptorShortage else { throw error }
            return OpenedSink(sink: WaitingSink(plan, run.environment.waitForDescriptor()) { run.resumeExchange() })
        }
    }

    private func filePlan(
        _ names: PartNames, _ policy: Destination.ConflictPolicy, for head: ResponseHead, expecting length: Int64?,
        _ modified: Date?
    ) -> FilePlan {
        // The length of coded content is not that of the file, if a transport decodes it.
        let isPlain = head.statusCode == 200 && !head.headers.contains("Content-Encoding")
        var sidecar: Sidecar?
        if isPlain, let partURL, let validator = Validator(head.headers) {
            sidecar = Sidecar(url: partURL, validator: validator, total: length, modified: modified)
        }
        return FilePlan(
            names: names, policy: policy, sidecar: sidecar, total: isPlain ? length : nil, modified: modified,
            isPartMissing: isPartMissing)
    }
}

extension ResumePoint {
    /// A sink that goes on behind what is there.
    fileprivate func open(
        _ policy: Destination.ConflictPolicy, _ modified: Date?, isChecked: Bool
    ) throws(NetworkError) -> DownloadTarget.OpenedSink {
        try part.truncate(to: offset)
        var sidecar = sidecar
        // From here on it is this run of the system that the file's length is true in.
        sidecar.boot = Sidecar.currentBoot
        let isKept = sidecar == self.sidecar || part.describe(sidecar)
        let plan = FilePlan(
            names: part.names, policy: policy, sidecar: isKept ? sidecar : nil, total: sidecar.total,
            modified: modified ?? sidecar.modified, isReadAgain: isChecked)
        return DownloadTarget.OpenedSink(sink: FileSink(part, plan), offset: offset, part: part)
    }
}

extension Destination {
    /// Whether a part of the content in place of all of it would do harm that lasts.
    fileprivate var wantsAll: Bool {
        switch self {
        case .memory, .discard: false
        case .file, .sink: true
        }
    }
}
