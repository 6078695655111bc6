import Foundation

/// Takes the content of an accepted response. Called by one thread at a time, the one that its `RequestRun` belongs to,
/// which makes it `Sendable`.
///
///     write* → finish | abandon | discard
protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes; `.pause` means that it wants no more until it calls for it.
    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition
    /// Puts the whole content in its place, or says how that is done. Nothing follows, and no lock is held.
    func finish() -> SinkCompletion
    /// Gives up because no more content comes. What a later attempt can continue stays. Nothing follows.
    func abandon()
    /// Throws away what has been written, as it is of no use. Nothing follows.
    func discard()
}

/// What has become of the whole content.
enum SinkCompletion {
    typealias Outcome = Result<StoredContent, NetworkError>
    typealias Report = @Sendable (Outcome) -> Void

    /// It is in its place, or cannot be put there.
    case done(Outcome)
    /// It takes time. To be called once; it tells how that went, once, on whatever thread.
    case pending(_ begin: (@escaping Report) -> Void)
    /// The same, but it takes as long as the user's code does, so `abandon()` may come before it has told.
    case handover(_ begin: (@escaping Report) -> Void)

    /// Tells how it went, at once or later.
    func tell(_ report: @escaping Report) {
        switch self {
        case .done(let outcome): report(outcome)
        case .pending(let begin), .handover(let begin): begin(report)
        }
    }
}

/// Where content has gone.
struct StoredContent: Sendable {
    var data: Data?
    var fileURL: URL?
    /// Whether the file was there before.
    var isKept = false
}

extension RequestResult {
    init(head: ResponseHead, _ content: StoredContent) {
        self.init(head: head, data: content.data, fileURL: content.fileURL, isKept: content.isKept)
    }
}

/// Keeps content in memory, up to 256 MiB.
final class MemorySink: BodySink, @unchecked Sendable {  // see BodySink
    private static let limit: Int64 = 256 * 1024 * 1024
    /// A length is the server's word: believe it for a head start, not for gigabytes.
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

/// Throws content away.
final class DiscardingSink: BodySink {
    func write(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
    func finish() -> SinkCompletion { .done(.success(StoredContent())) }
    func abandon() {}
    func discard() {}
}

/// Stands for the content of a response which says that the file is what the server has.
final class KeptFile: BodySink {
    private let file: ExistingFile

    init(_ file: ExistingFile) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
    func finish() -> SinkCompletion { .done(.success(StoredContent(fileURL: file.url, isKept: true))) }
    func abandon() {}
    func discard() {}
}

/// The beginning of a rejected response's content. Belongs to one thread at a time, as its `RequestRun` does.
final class BodyExcerpt: @unchecked Sendable {
    /// How much of an error page is kept.
    static let usualLimit = 64 * 1024

    private(set) var data = Data()
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Keeps what fits; returns whether all of it did.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let room = limit - data.count
        data.append(contentsOf: bytes.prefix(room))
        return bytes.count <= room
    }
}
