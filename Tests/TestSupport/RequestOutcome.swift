import Foundation
import NetworkQueueKit

/// What a completion handler was given.
package struct RequestOutcome: Sendable {
    package let path: String
    package let head: ResponseHead?
    package let data: Data?
    package let error: NetworkError?

    package init(path: String, head: ResponseHead?, data: Data?, error: NetworkError?) {
        self.path = path
        self.head = head
        self.data = data
        self.error = error
    }

    /// Such as `/a ok` and `/b cancelled`.
    package var text: String { "\(path) \(error.map { "\($0.code)" } ?? "ok")" }
}

extension Gathering<RequestOutcome> {
    /// An operation whose outcome is noted here.
    package func operation(for request: NetworkRequest) -> RequestOperation {
        let operation = RequestOperation(request)
        let path = operation.path
        operation.completionHandler = { head, data, error in
            self.add(RequestOutcome(path: path, head: head, data: data, error: error))
        }
        return operation
    }
}
