import Foundation

extension RequestOperation {
    /// The order among waiting requests: that of the request to begin with.
    ///
    /// May be changed while the operation waits, from any thread: it then comes as if it had just been added with the new priority. A
    /// change in a running operation applies to its next attempt. O(1).
    public var priority: NetworkRequest.Priority {
        get { NetworkRequest.Priority(rawValue: priorityValue.load(ordering: .acquiring)) ?? .normal }
        set {
            super.queuePriority = newValue.queuePriority
            setPriority(newValue)
        }
    }

    func setPriority(_ priority: NetworkRequest.Priority) {
        priorityValue.store(priority.rawValue, ordering: .releasing)
        queue?.changePriority(of: self)
    }
}

extension NetworkRequest.Priority {
    /// The same for Foundation.
    var queuePriority: Operation.QueuePriority {
        switch self {
        case .low: .low
        case .normal: .normal
        case .high: .high
        }
    }

    /// The nearest to one of Foundation's.
    init(_ priority: Operation.QueuePriority) {
        switch priority {
        case .veryLow, .low: self = .low
        case .high, .veryHigh: self = .high
        default: self = .normal
        }
    }
}
