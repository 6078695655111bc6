import Foundation

/// What happens to the content that an operation's exchanges bring: where it goes, and which bytes are there from before.
struct Intake: Sendable {
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
    struct Reception {
        var sink: any BodySink
        var offset: Int64 = 0
        /// The file that those bytes are in.
        var part: PartFile?
    }

    private let operation: RequestOperation
    /// The URL that a part belongs to, for the exchange under way; `nil` when it leaves none.
    private var partURL: String?
    /// What the exchange under way asks for the rest of.
    @Boxed private var point: ResumePoint?
    private var isContinuing = false
    /// The user's sink in the latest attempt.
    private var userSink: UserSink?
    /// Where a user's sink holds the exchange.
    private let valve: ExchangeValve?
    /// Whether the transport decodes content by itself.
    private let isDecoded: Bool

    init(_ operation: RequestOperation, isDecoded: Bool, valve: ExchangeValve?) {
        self.operation = operation
        self.isDecoded = isDecoded
        self.valve = valve
    }

    /// The first exchange of an attempt, which asks for the rest where an earlier one has left a beginning.
    mutating func prepare(_ exchange: HTTPExchange) -> HTTPExchange {
        rest()
        if let coded = withAcceptedCodings(exchange) { return coded }
        guard case .file(let url, onConflict: _, resume: true) = operation.request.destination,
            exchange.method == "GET",
            !exchange.hasBody, !exchange.headers.contains("Range"), !exchange.headers.contains("If-Range")
        else { return exchange }
        let requestURL = exchange.url.absoluteString
        partURL = requestURL
        // What is wrong with the destination is told when there is content for it.
        guard let names = try? PartNames(url) else { return exchange }
        point = ResumePoint.find(names, url: requestURL)
        var exchange = exchange
        point?.ask(in: &exchange)
        return exchange
    }

    /// Lets go of what is there, so that somebody else may continue it.
    mutating func rest() {
        point = nil
        partURL = nil
        isContinuing = false
    }

    /// Looks at the head of a response to `exchange` that is no redirect.
    mutating func judge(_ head: ResponseHead, of exchange: HTTPExchange) -> Verdict {
        guard let point else {
            // A part that nobody has asked for would pass for the whole.
            let isPart = head.statusCode == 206 && !exchange.headers.contains("Range")
            return isPart && operation.request.destination.wantsAll ? .refuse(NetworkError(.badServerResponse)) : .take
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

    /// The head to judge by whether the request succeeded: that nobody but this library asked for a part is no concern of a
    /// validation.
    func representative(of head: ResponseHead) -> ResponseHead {
        guard isContinuing else { return head }
        var head = head
        head.statusCode = 200
        return head
    }

    /// Makes the place for the content behind an accepted head, which answers a request with that method.
    mutating func receive(
        _ head: ResponseHead, to method: String, expecting length: Int64?
    ) throws(NetworkError) -> Reception {
        let isHEAD = method == "HEAD"
        // A HEAD that an adapter has made has not what the user expects.
        let isChecked =
            operation.request.expectedChecksum != nil && head.statusCode != 304
            && !(isHEAD && operation.request.method == "HEAD")
        let check = try isChecked ? ContentCheck(operation.request) : nil
        let coding = operation.request.acceptsCompressed && !isHEAD ? ContentCoding(head.headers) : nil
        if case .unknown? = coding { throw Inflater.damaged }
        var reception = try makePlace(for: head, expecting: coding == nil ? length : nil)
        if let check {
            reception.sink = CheckedSink(reception.sink, check: check, continuing: reception.part)
        }
        if let coding {
            reception.sink = LimitedSink(reception.sink, limit: operation.request.maximumDecodedSize)
            if !isDecoded { reception.sink = InflatingSink(reception.sink, isGzip: coding == .gzip) }
        }
        return reception
    }

    /// The exchange with the codings that can be decoded, where compressed content is welcome.
    ///
    /// It asks for no part: which bytes of the file are there says nothing of where they are in compressed content.
    private func withAcceptedCodings(_ exchange: HTTPExchange) -> HTTPExchange? {
        guard operation.request.acceptsCompressed, !exchange.headers.contains("Accept-Encoding"),
            !exchange.headers.contains("Range"), let codings = ContentCoding.accepted
        else { return nil }
        var exchange = exchange
        exchange.headers["Accept-Encoding"] = codings
        return exchange
    }

    private mutating func makePlace(
        for head: ResponseHead, expecting length: Int64?
    ) throws(NetworkError) -> Reception {
        switch operation.request.destination {
        case .memory: return Reception(sink: MemorySink(expecting: length))
        case .discard: return Reception(sink: DiscardingSink())
        // What the caller has is still right; nothing has come to take its place.
        case .file where head.statusCode == 304, .sink where head.statusCode == 304:
            return Reception(sink: DiscardingSink())
        case .sink(let sink):
            let place = UserSink(sink, head: head, after: userSink) { [valve] in valve?.resume() }
            userSink = place
            return Reception(sink: place)
        case .file(let url, let policy, resume: _): return try receiveFile(head, url, policy, expecting: length)
        }
    }

    private mutating func receiveFile(
        _ head: ResponseHead, _ url: URL, _ policy: Destination.ConflictPolicy, expecting length: Int64?
    ) throws(NetworkError) -> Reception {
        let names = try PartNames(url)
        try FileMove.check(names.destination, onConflict: policy)
        defer { point = nil }
        if isContinuing, let point { return try point.makeReception(onConflict: policy) }
        let part = if let point { point.part } else { try PartFile.make(names) }
        // The length of coded content is not that of the file, if a transport decodes it.
        let isPlain = head.statusCode == 200 && !head.headers.contains("Content-Encoding")
        var sidecar: Sidecar?
        if isPlain, let partURL, let validator = Validator(head.headers) {
            sidecar = Sidecar(url: partURL, validator: validator, total: length)
        }
        do {
            let isKept = try part.restart(as: sidecar)
            let sink = FileSink(
                part, onConflict: policy, sidecar: isKept ? sidecar : nil, total: isPlain ? length : nil)
            return Reception(sink: sink)
        } catch {
            part.remove()
            throw error
        }
    }
}

extension ResumePoint {
    /// A sink that goes on behind what is there.
    fileprivate func makeReception(onConflict policy: Destination.ConflictPolicy) throws(NetworkError)
        -> Intake.Reception
    {
        try part.truncate(to: offset)
        var sidecar = sidecar
        // From here on it is this run of the system that the file's length is true in.
        sidecar.boot = Sidecar.currentBoot
        let isKept = sidecar == self.sidecar || part.describe(sidecar)
        let sink = FileSink(part, onConflict: policy, sidecar: isKept ? sidecar : nil, total: sidecar.total)
        return Intake.Reception(sink: sink, offset: offset, part: part)
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
