import Foundation

/// Decides what an upload by tus 1.0.0 does next (https://tus.io/protocols/resumable-upload).
///
/// ```text
/// options? → create ──────→ piece* → end
///            ask ───────────↗  │
///             ↑ 409, 460, a new attempt
/// create ←── 404, 410 to either, 403 to ask
/// ```
struct TusUpload: Sendable {
    enum Step: Sendable, Equatable {
        /// OPTIONS: which extensions does the server offer?
        case options
        /// POST: create the upload.
        case create
        /// HEAD: how far has the server got?
        case ask
        /// PATCH: send this part of the file.
        case piece(Range<Int64>)
        /// DELETE: the server need not keep the upload.
        case terminate(URL)
    }

    enum Outcome: Sendable {
        case goOn
        /// The server has the whole file.
        case finished
        /// The response is the failure.
        case reject
        case fail(NetworkError)
    }

    /// What is kept between runs.
    struct State: Sendable, Equatable, Codable {
        let url: String
        /// When the server drops the unfinished upload.
        var expires: Date?
    }

    /// How many answers in a row may bring the upload no further.
    private static let maximumSetbackCount = 3

    let length: Int64
    /// How much is sent in one request, and lost if its answer is.
    private let pieceLength: Int64
    /// What the server offers; `nil` until that is known.
    var offer: TusOffer?
    /// The URL of the upload; `nil` if it is still to be created.
    private(set) var url: URL?
    private var expires: Date?
    /// The upload that the server refuses. It is kept until another one is created: the refusal may pass.
    private var refused: State?
    /// How many bytes the server has confirmed.
    private(set) var confirmed: Int64 = 0
    /// The end of the last piece that was begun.
    private var sent: Int64
    /// Whether ``confirmed`` is where the next piece begins.
    private var isOffsetKnown = false
    /// The offset that the server gave when this run first asked.
    private(set) var start: Int64?
    /// How far the progress has got, which never decreases.
    private(set) var shown: Int64 = 0
    private var farthest: Int64 = 0
    private var setbackCount = 0

    init(length: Int64, pieceLength: Int64, state: State?) {
        self.length = length
        self.pieceLength = pieceLength
        // How much an earlier run has sent is unknown.
        sent = length
        if let state, let url = URL(string: state.url) {
            self.url = url
            expires = state.expires
        }
    }

    /// What to keep; `nil` if there is nothing to continue.
    var state: State? { url.map { State(url: $0.absoluteString, expires: expires) } ?? refused }

    /// The next exchange.
    mutating func next() -> Step {
        if offer == nil { return .options }
        if url == nil { return .create }
        guard isOffsetKnown else { return .ask }
        let end = min(length, confirmed.addingSaturated(pieceLength))
        sent = max(sent, end)
        return .piece(confirmed..<end)
    }

    /// Notes that the attempt has ended, so that only the server knows how far it has got.
    mutating func noteEnd() { isOffsetKnown = false }

    /// Forgets an upload that is not at the server of the endpoint: a fresh URL may name another endpoint, and what was
    /// kept between runs may be anything.
    mutating func stay(at endpoint: URL) {
        guard let url, Origin(url) == nil || Origin(url) != Origin(endpoint) else { return }
        forget()
        offer = nil
    }

    /// Forgets the upload.
    mutating func forget() {
        url = nil
        expires = nil
        isOffsetKnown = false
    }

    /// Notes that so much of the file has been sent, and returns what to show.
    mutating func show(_ bytes: Int64) -> Int64 {
        shown = min(max(shown, bytes), length)
        return shown
    }

    /// Handles the response to a step.
    mutating func take(_ head: ResponseHead, to step: Step, endpoint: URL) -> Outcome {
        switch step {
        case .options:
            offer = TusOffer(head)
            return .goOn
        case .create: return takeCreation(head, endpoint)
        case .ask: return takeOffset(head)
        case .piece(let range): return takeEnd(of: range, head)
        case .terminate: return .goOn
        }
    }

    private mutating func takeCreation(_ head: ResponseHead, _ endpoint: URL) -> Outcome {
        guard head.isSuccess else { return .reject }
        guard let reference = head.headers.firstValueBytes(for: "Location"),
            let base = WebAddress(head.url.absoluteString.utf8),
            let url = WebAddress(reference: reference, relativeTo: base)?.withoutUserInformation.url
        else { return .fail(.badResponse("It has no Location with the URL of the upload.")) }
        // Credentials and the file itself are for this server alone.
        guard let origin = Origin(url), origin == Origin(endpoint) else {
            return .fail(.badResponse("The URL of the upload has another scheme, host or port than its endpoint."))
        }
        self.url = url
        refused = nil
        (confirmed, sent, isOffsetKnown) = (0, 0, true)
        start = start ?? 0
        noteExpiry(head)
        return length == 0 ? .finished : .goOn
    }

    private mutating func takeOffset(_ head: ResponseHead) -> Outcome {
        if [404, 410].contains(head.statusCode) { return startOver() }
        if head.statusCode == 403, !head.isQuotaRefusal {
            let state = state
            let outcome = startOver()
            refused = state
            return outcome
        }
        guard head.isSuccess else { return .reject }
        if let total = head.number("Upload-Length"), total != length { return startOver() }
        guard let offset = head.number("Upload-Offset"), (confirmed...sent).contains(offset) else {
            return .fail(.badOffset)
        }
        (confirmed, sent, isOffsetKnown) = (offset, offset, true)
        start = start ?? offset
        noteExpiry(head)
        noteProgress()
        return offset == length ? .finished : .goOn
    }

    private mutating func takeEnd(of range: Range<Int64>, _ head: ResponseHead) -> Outcome {
        switch head.statusCode {
        case 404, 410: return startOver()
        case 409, 460:
            isOffsetKnown = false
            return countSetback() ? .goOn : .reject
        case _ where !head.isSuccess: return .reject
        default: break
        }
        guard let offset = head.number("Upload-Offset"), (range.lowerBound...range.upperBound).contains(offset) else {
            return .fail(.badOffset)
        }
        confirmed = offset
        noteExpiry(head)
        noteProgress()
        if offset == range.lowerBound, !countSetback() { return .fail(.badResponse("It takes no content.")) }
        return offset == length ? .finished : .goOn
    }

    /// Creates another upload, because the server does not have this one any more.
    private mutating func startOver() -> Outcome {
        forget()
        (confirmed, sent) = (0, 0)
        return countSetback() ? .goOn : .reject
    }

    private mutating func countSetback() -> Bool {
        setbackCount += 1
        return setbackCount <= Self.maximumSetbackCount
    }

    private mutating func noteProgress() {
        guard confirmed > farthest else { return }
        farthest = confirmed
        setbackCount = 0
    }

    private mutating func noteExpiry(_ head: ResponseHead) {
        if let text = head.headers["Upload-Expires"] { expires = HTTPDate.date(from: text) }
    }
}

/// The extensions of tus that a server offers, as far as they are used.
struct TusOffer: Sendable, Equatable {
    var terminates = false
    /// The checksum to send with each piece.
    var checksum: HashAlgorithm?

    /// Reads the response to OPTIONS. A server that does not answer it offers none.
    init(_ head: ResponseHead) {
        guard head.isSuccess else { return }
        let extensions = head.list("Tus-Extension")
        terminates = extensions.contains("termination")
        guard extensions.contains("checksum") else { return }
        let names = head.list("Tus-Checksum-Algorithm")
        checksum = [HashAlgorithm.sha1, .sha256, .md5].first { names.contains($0.tusName) }
    }
}

extension HashAlgorithm {
    /// The name in `Upload-Checksum`.
    var tusName: String { rawValue.lowercased() }
}

extension ResponseHead {
    fileprivate var isSuccess: Bool { (200..<300).contains(statusCode) }

    /// The value of a field that is a number of bytes; `nil` if it is missing or anything else.
    fileprivate func number(_ name: String) -> Int64? {
        guard let text = headers[name], !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int64(text)
    }

    /// The words of a list, in lower case.
    fileprivate func list(_ name: String) -> [String] {
        headers.values(for: name).joined(separator: ",").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
    }
}

extension NetworkError {
    fileprivate static var badOffset: NetworkError {
        .badResponse("Its Upload-Offset is missing, or is not between what was confirmed and what was sent.")
    }
}
