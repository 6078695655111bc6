import Foundation

/// Receives the content of an accepted response. Only the thread that currently drives its `RequestRun` calls it, which
/// makes it `Sendable`.
///
/// ```text
/// write* → finish | abandon | discard
/// ```
protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes. Returns `.pause` to hold the exchange until it resumes it, or `.stop` if it needs no more.
    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition
    /// Puts the complete content in its place, or returns how to do that. The last call; made while no lock is held.
    func finish() -> SinkCompletion
    /// Ends without more content, and keeps what a later attempt can continue. The last call.
    func abandon()
    /// Discards what was written. The last call.
    func discard()
}

/// The result of finishing a sink.
enum SinkCompletion {
    typealias Outcome = Result<StoredContent, NetworkError>
    typealias Report = @Sendable (Outcome) -> Void

    /// The content is in its place, or could not be put there.
    case done(Outcome)
    /// Finishing takes time. Call `begin` once; it reports the outcome once, on any thread.
    case pending(_ begin: (@escaping Report) -> Void)
    /// Like `pending`, but the user's code decides how long it takes, so `abandon()` may be called before the report.
    case handover(_ begin: (@escaping Report) -> Void)

    /// Reports the outcome, now or later.
    func tell(_ report: @escaping Report) {
        switch self {
        case .done(let outcome): report(outcome)
        case .pending(let begin), .handover(let begin): begin(report)
        }
    }
}

/// The place where content was stored.
struct StoredContent: Sendable {
    var data: Data?
    var fileURL: URL?
    /// Whether the file already existed and was kept, or the server already had the content of an upload.
    var isKept = false
}

extension RequestResult {
    init(head: ResponseHead, _ content: StoredContent) {
        self.init(head: head, data: content.data, fileURL: content.fileURL, isKept: content.isKept)
    }
}

/// Keeps up to 256 MiB of content in memory.
final class MemorySink: BodySink, @unchecked Sendable {  // see BodySink
    private static let limit: Int64 = 256 * 1024 * 1024
    /// Limits the memory that is reserved because of a length that the server merely claims.
    private static let maximumReservation: Int64 = 1024 * 1024

    private var data = Data()

    init(expecting length: Int64?) {
        if let length, length > 0 { data.reserveCapacity(Int(min(length, Self.maximumReservation))) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        guard Int64(data.count) + Int64(bytes.count) <= Self.limit else {
            throw NetworkError(URLError(.dataLengthExceedsMaximum))
        }
        data.append(contentsOf: bytes)
        return .proceed
    }

    func finish() -> SinkCompletion { .done(.success(StoredContent(data: data))) }
    func abandon() { data = Data() }
    func discard() { data = Data() }
}

/// Discards content.
final class DiscardingSink: BodySink {
    func write(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
    func finish() -> SinkCompletion { .done(.success(StoredContent())) }
    func abandon() {}
    func discard() {}
}

/// Ignores the content of a response that shows the existing file to be current.
final class KeptFile: BodySink {
    private let file: ExistingFile

    init(_ file: ExistingFile) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
    func finish() -> SinkCompletion { .done(.success(StoredContent(fileURL: file.url, isKept: true))) }
    func abandon() {}
    func discard() {}
}

/// The beginning of a rejected response's content. Confined to the thread that drives its `RequestRun`.
final class BodyExcerpt: @unchecked Sendable {
    /// How many bytes of an error page are kept.
    static let usualLimit = 64 * 1024

    private(set) var data = Data()
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Keeps what fits and returns whether all of it did.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let room = limit - data.count
        data.append(contentsOf: bytes.prefix(room))
        return bytes.count <= room
    }
}
