import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Finds the operation in the queue that equals a new one. O(1).
///
/// Hashing a request costs microseconds, so nothing is kept while duplicates are allowed.
struct DuplicateIndex {
    let isActive: Bool
    private var operations: [Key: RequestOperation] = [:]

    init(isActive: Bool) {
        self.isActive = isActive
    }

    /// Notes an operation and returns the earlier one that it duplicates.
    mutating func insert(_ operation: RequestOperation) -> RequestOperation? {
        guard isActive else { return nil }
        return operations.updateValue(operation, forKey: Key(request: operation.request))
    }

    mutating func remove(_ operation: RequestOperation) {
        guard isActive else { return }
        let key = Key(request: operation.request)
        if operations[key] === operation { operations[key] = nil }
    }

    /// Two requests are equal when they ask for the same and put it in the same place.
    private struct Key: Hashable {
        let request: NetworkRequest

        static func == (left: Key, right: Key) -> Bool {
            left.request.urlRequest.isSame(as: right.request.urlRequest)
                && left.request.body == right.request.body && left.request.destination == right.request.destination
        }

        func hash(into hasher: inout Hasher) {
            // URL and method tell most requests apart, at a fraction of what hashing all of a request costs.
            hasher.combine(request.urlRequest.url?.absoluteString)
            hasher.combine(request.urlRequest.httpMethod)
        }
    }
}

extension URLRequest {
    /// Whether both ask for the same. Foundation on Linux compares neither bodies nor header fields.
    func isSame(as other: URLRequest) -> Bool {
        self == other && httpBody == other.httpBody
            && (allHTTPHeaderFields ?? [:]) == (other.allHTTPHeaderFields ?? [:])
    }
}

extension RequestPriority {
    init(_ priority: NetworkRequest.Priority) {
        switch priority {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}
