/// How urgent a request is. A higher one always starts before a lower one of its stage.
enum RequestPriority: Int, Comparable, Sendable, CaseIterable {
    case low
    case normal
    case high

    static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
