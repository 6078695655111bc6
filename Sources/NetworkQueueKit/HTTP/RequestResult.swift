import Foundation
import Synchronization

/// The result of a request.
///
/// Its fields are on the heap, because the result passes through six types; copying the fields took 4 % of the
/// instructions of a small request.
@dynamicMemberLookup
struct RequestResult: Sendable {
    /// The ways in which a request can end.
    enum Outcome: Sendable, Equatable {
        case finished, failed, cancelled
    }

    struct Fields: Sendable {
        var head: ResponseHead?
        var data: Data?
        var fileURL: URL?
        /// Whether the file existed before, so that the request must not remove it, or the server had the content.
        var isKept = false
        var error: NetworkError?
        var metrics: RequestMetrics?
        /// When the operation ended; `nil` before that.
        var endDate: Date?
        /// The bytes of content that existed before the operation started.
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

    /// The content of a successful response; `nil` for a failure, whose error has the page.
    var content: Data? { self.error == nil ? self.data : nil }

    /// The number of attempts.
    var attempts: Int { self.metrics?.attempts ?? 0 }

    /// Drops the content, including the error page of a failure.
    mutating func dropBody() {
        self.data = nil
        self.error?.response?.data = nil
    }

    /// The response, if one was received.
    var response: Response? {
        self.head.map {
            Response(head: $0, data: self.data, fileURL: self.fileURL, metrics: self.metrics, wasKept: self.isKept)
        }
    }

    /// The response or the error, for users. A result with neither cannot come from a run.
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

/// The events of a request from start to end, in this order:
///
/// ```text
/// started → attempt → (willRetry → restarted → attempt)* → didReject? → ended
/// ended                                                              (never started)
/// attempt: willSend? → didSend* → willReceive? → didReceive*
/// ```
///
/// In addition, `paused → resumed → continued` may occur anywhere before the end. The attempt then starts over, or
/// continues where its content was held. An operation without a slot is paused and resumed by its queue; it is not
/// continued.
enum RequestEvent: Sendable {
    case started
    /// Content of this length is about to be sent. `resumed` bytes of it are already at the server, fewer than were sent
    /// if the server has dropped them; `nil` if an attempt that fails loses what it has sent.
    case willSend(length: Int64, resumed: Int64? = nil)
    /// The bytes of content sent so far in the current attempt, and the total length.
    case didSend(totalBytes: Int64, length: Int64?)
    /// A response with this head was accepted. Content of this length, if known, follows the `resumed` bytes that
    /// already exist.
    indirect case willReceive(ResponseHead, resumed: Int64, length: Int64?)
    /// More bytes of content have arrived. If several exchanges fetch it, this comes from several threads.
    case didReceive(byteCount: Int)
    /// The head of a response that was finally rejected.
    indirect case didReject(ResponseHead)
    /// The attempt failed, and another will follow. `keepsLength` says whether the content length also applies to the
    /// next attempt.
    indirect case willRetry(after: Duration, because: NetworkError, keepsLength: Bool)
    /// The next attempt begins.
    case restarted
    /// The request is paused and has no slot.
    case paused
    /// A pause has ended. The request waits for a slot, or for the time of its retry.
    case resumed(isRetrying: Bool)
    /// A request that was paused has a slot again and continues.
    case continued
    /// The request has ended. `RequestOperation.finalResult` adds the details of the operation to the error of a
    /// cancellation.
    case ended(RequestResult)

    /// Whether the request has no slot from now on, but has not ended.
    var freesSlot: Bool {
        switch self {
        case .willRetry, .paused: true
        default: false
        }
    }
}

/// A process-wide unique identifier of an operation, ordered by creation.
public struct RequestID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private static let latest = Atomic<UInt64>(0)

    private let number: UInt64

    /// Returns a new identifier.
    static func next() -> RequestID {
        RequestID(number: latest.add(1, ordering: .relaxed).newValue)
    }

    /// Compares by the order of creation.
    public static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }

    /// The number of the operation, such as `#12`.
    public var description: String { "#\(number)" }
}
