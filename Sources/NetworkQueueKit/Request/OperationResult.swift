import Foundation

/// How an operation ended.
struct OperationResult: Sendable {
    var head: ResponseHead?
    var data: Data?
    var fileURL: URL?
    var error: NetworkError?
    var metrics: RequestOperation.Metrics?

    var isCancellation: Bool { error?.isCancellation == true }

    var status: RequestOperation.Status {
        switch error?.code {
        case nil: .finished
        case .cancelled: .cancelled
        default: .failed
        }
    }
}
