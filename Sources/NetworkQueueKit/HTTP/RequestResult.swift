import Foundation
import Synchronization

/// How a request ended.
///
/// The fields are on the heap: an end hands the result on through six types, and copies of its fields took 4 % of the
/// instructions of a small request.
@dynamicMemberLookup
struct RequestResult: Sendable {
    /// The three ways to end.
    enum Outcome: Sendable, Equatable {
        case finished, failed, cancelled
    }

    struct Fields: Sendable {
        var head: ResponseHead?
        var data: Data?
        var fileURL: URL?
        /// Whether the file was there before, and is not the request's to remove.
        var isKept = false
        var error: NetworkError?
        var metrics: RequestMetrics?
        /// When the operation ended; `nil` before.
        var endDate: Date?
        /// Bytes of the content that were there before the operation started.
        var bytesResumed: Int64 = 0
    }

    private var fields: CopyOnWrite<Fields>

    init(
        head: ResponseHead? = nil, data: Data? = nil, fileURL: URL? = nil, isKept: Bool = false,
        error: NetworkError? = nil, endDate: Date? = nil
    ) {
        fields = CopyOnWrite(
            Fields(head: head, data: data, fileURL: fileURL, isKept: isKept, error: error, endDate: endDate))
    }

    subscript<Field>(dynamicMember field: WritableKeyPath<Fields, Field>) -> Field {
        get { fields.value[keyPath: field] }
        _modify { yield &fields.value[keyPath: field] }
    }

    /// The content of a successful response; `nil` for a failure, whose page is in its error.
    var content: Data? { self.error == nil ? self.data : nil }

    /// How many attempts it took.
    var attempts: Int { self.metrics?.attempts ?? 0 }

    /// Drops the page of a failure.
    mutating func dropBody() {
        self.data = nil
        self.error?.response?.data = nil
    }

    /// The response, where there is one.
    var response: Response? {
        self.head.map {
            Response(head: $0, data: self.data, fileURL: self.fileURL, metrics: self.metrics, wasKept: self.isKept)
        }
    }

    /// The response or the error, as users get it. What has neither cannot come from a run.
    var asResult: Result<Response, NetworkError> {
        if let error = self.error { return .failure(error) }
        return response.map { .success($0) } ?? .failure(NetworkError(.unknown))
    }

    var isCancellation: Bool { self.error?.isCancellation == true }

    var outcome: Outcome {
        switch self.error?.code {
        case nil: .finished
        case .cancelled: .cancelled
        default: .failed
        }
    }
}

/// What happens to a request, from its start to its end, in this order:
///
///     started → attempt → (willRetry → restarted → attempt)* → didReject? → ended
///     ended                                                              (never started)
///     attempt: willSend? → didSend* → willReceive? → didReceive*
///
/// and, from anywhere before the end: `paused → resumed → continued`, after which the attempt begins once more, or goes
/// on where its content was held. An operation without a slot is paused and resumed by its queue, and not continued.
enum RequestEvent: Sendable {
    case started
    /// Content of this length is about to be sent.
    case willSend(length: Int64)
    /// Bytes of content sent so far, of the current attempt, and how many there will be.
    case didSend(totalBytes: Int64, length: Int64?)
    /// A response with this head has been accepted. Content of this length follows, where that is known, behind
    /// `resumed` bytes that are there from before.
    indirect case willReceive(ResponseHead, resumed: Int64, length: Int64?)
    /// More bytes of content. Where several exchanges fetch it, from their threads.
    case didReceive(byteCount: Int)
    /// The head of the response that was rejected for good.
    indirect case didReject(ResponseHead)
    /// The attempt has failed, and there will be another. `keepsLength` tells whether the length of its content holds
    /// for that, too.
    indirect case willRetry(after: Duration, because: NetworkError, keepsLength: Bool)
    /// The next attempt begins.
    case restarted
    /// The request is paused, and has no slot.
    case paused
    /// A pause is over. The request waits for a slot, or for the time of its retry.
    case resumed(isRetrying: Bool)
    /// A request that was paused has a slot again.
    case continued
    /// The request has ended. What the error of a cancellation lacks about its operation is added by
    /// `RequestOperation.finalResult`.
    case ended(RequestResult)
}

/// Tells the operations of one process apart, in the order in which they were created.
public struct RequestID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private static let latest = Atomic<UInt64>(0)

    private let number: UInt64

    /// A new one.
    static func next() -> RequestID {
        RequestID(number: latest.add(1, ordering: .relaxed).newValue)
    }

    /// The order of creation.
    public static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }

    /// The number as text, such as `#12`.
    public var description: String { "#\(number)" }
}
