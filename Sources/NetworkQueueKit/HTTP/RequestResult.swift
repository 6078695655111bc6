import Foundation

/// How a request ended. Handed on often, so that a copy of it is one reference.
struct RequestResult: Sendable {
    private struct Fields: Sendable {
        var head: ResponseHead?
        var data: Data?
        var fileURL: URL?
        var isKept = false
        var error: NetworkError?
        var metrics: RequestMetrics?
        var endDate: Date?
        var bytesResumed: Int64 = 0
    }

    /// The three ways to end.
    enum Outcome: Sendable, Equatable {
        case finished, failed, cancelled
    }

    private var fields: CopyOnWrite<Fields>

    init(
        head: ResponseHead? = nil, data: Data? = nil, fileURL: URL? = nil, error: NetworkError? = nil,
        endDate: Date? = nil
    ) {
        fields = CopyOnWrite(Fields(head: head, data: data, fileURL: fileURL, error: error, endDate: endDate))
    }

    /// The result with content that is in its place.
    ///
    /// - Parameter isKept: whether the file was there before, and is not the request's to remove.
    init(head: ResponseHead, data: Data?, fileURL: URL?, isKept: Bool) {
        fields = CopyOnWrite(Fields(head: head, data: data, fileURL: fileURL, isKept: isKept))
    }

    var head: ResponseHead? { fields.value.head }
    var data: Data? { fields.value.data }
    /// The content of a successful response; `nil` for a failure, whose page is in its error.
    var content: Data? { fields.value.error == nil ? fields.value.data : nil }
    var fileURL: URL? { fields.value.fileURL }
    var isKept: Bool { fields.value.isKept }
    var error: NetworkError? {
        get { fields.value.error }
        set { fields.value.error = newValue }
    }
    var metrics: RequestMetrics? {
        get { fields.value.metrics }
        set { fields.value.metrics = newValue }
    }

    /// How many attempts it took, without a copy of all metrics.
    var attempts: Int { fields.value.metrics?.attempts ?? 0 }

    /// Bytes of the content that were there before the operation started.
    var bytesResumed: Int64 {
        get { fields.value.bytesResumed }
        set { fields.value.bytesResumed = newValue }
    }

    /// When the operation ended; `nil` before.
    var endDate: Date? {
        get { fields.value.endDate }
        set { fields.value.endDate = newValue }
    }

    /// Lets go of the page of a failure.
    mutating func dropBody() {
        fields.value.data = nil
        fields.value.error?.response?.data = nil
    }

    /// The response, where there is one.
    var response: Response? {
        head.map { Response(head: $0, data: data, fileURL: fileURL, metrics: metrics, wasKept: isKept) }
    }

    /// The response or the error, as users get it. What has neither cannot come from a run.
    var asResult: Result<Response, NetworkError> {
        if let error { return .failure(error) }
        return response.map { .success($0) } ?? .failure(NetworkError(.unknown))
    }

    // Of an error, the code alone: a copy of all of it costs several references.

    var isCancellation: Bool { fields.value.error?.code == .cancelled }

    var outcome: Outcome {
        switch fields.value.error?.code {
        case nil: .finished
        case .cancelled: .cancelled
        default: .failed
        }
    }
}
