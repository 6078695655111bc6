extension RequestPriority {
    init(_ priority: NetworkRequest.Priority) {
        switch priority {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}
