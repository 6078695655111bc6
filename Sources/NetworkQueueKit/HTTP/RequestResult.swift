import Foundation

/// How a request ended.
struct RequestResult: Sendable {
    /// The three ways to end.
    enum Outcome: Sendable, Equatable {
        case finished, failed, cancelled
    }

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

    /// The content of a successful response; `nil` for a failure, whose page is in its error.
    var content: Data? { error == nil ? data : nil }

    /// How many attempts it took.
    var attempts: Int { metrics?.attempts ?? 0 }

    /// Drops the page of a failure.
    mutating func dropBody() {
        data = nil
        error?.response?.data = nil
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

    var isCancellation: Bool { error?.isCancellation == true }

    var outcome: Outcome {
        switch error?.code {
        case nil: .finished
        case .cancelled: .cancelled
        default: .failed
        }
    }
}
