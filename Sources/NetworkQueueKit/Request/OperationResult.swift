import Foundation

/// How an operation ended. Handed on often, so that a copy of it is one reference.
struct OperationResult: Sendable {
    private struct Fields: Sendable {
        var head: ResponseHead?
        var data: Data?
        var fileURL: URL?
        var error: NetworkError?
        var metrics: RequestOperation.Metrics?
        var isHeadDue = false
    }

    private var fields: CopyOnWrite<Fields>

    init(head: ResponseHead? = nil, data: Data? = nil, fileURL: URL? = nil, error: NetworkError? = nil) {
        fields = CopyOnWrite(Fields(head: head, data: data, fileURL: fileURL, error: error))
    }

    var head: ResponseHead? { fields.value.head }
    var data: Data? { fields.value.data }
    var fileURL: URL? { fields.value.fileURL }
    var error: NetworkError? {
        get { fields.value.error }
        set { fields.value.error = newValue }
    }
    var metrics: RequestOperation.Metrics? {
        get { fields.value.metrics }
        set { fields.value.metrics = newValue }
    }
    /// Whether the head has been held back until now.
    var isHeadDue: Bool {
        get { fields.value.isHeadDue }
        set { fields.value.isHeadDue = newValue }
    }

    // Of an error, the code alone: a copy of all of it costs several references.

    var isCancellation: Bool { fields.value.error?.code == .cancelled }

    var status: RequestOperation.Status {
        switch fields.value.error?.code {
        case nil: .finished
        case .cancelled: .cancelled
        default: .failed
        }
    }
}
