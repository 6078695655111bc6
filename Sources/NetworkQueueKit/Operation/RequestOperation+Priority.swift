import Foundation

extension RequestOperation {
    /// The order among waiting requests: that of the request to begin with.
    ///
    /// May be changed while the operation waits, from any thread: it then comes as if it had just been added with the new priority. A
    /// change in a running operation applies to its next attempt. O(1).
    public var priority: NetworkRequest.Priority {
        get { NetworkRequest.Priority.allCases[Int(priorityIndex.load(ordering: .acquiring))] }
        set {
            super.queuePriority = newValue.queuePriority
            setPriority(newValue)
        }
    }

    func setPriority(_ priority: NetworkRequest.Priority) {
        priorityIndex.store(priority.index, ordering: .releasing)
        queue?.changePriority(of: self)
    }
}

extension NetworkRequest.Priority {
    var index: UInt8 {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        }
    }

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
