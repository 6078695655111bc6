import Testing

@testable import NetworkQueueKit

/// A scheduler of strings such as `a1`, whose host is the letter; those that begin with a dash have none.
typealias StringScheduler = RequestScheduler<String>

extension RequestScheduler where Element == String {
    static func make(
        mode: QueueMode = .firstInFirstOut, maximumRunning: Int = 0, perHost: Int? = nil, isSuspended: Bool = false,
        isGated: Bool = false
    ) -> Self {
        Self(
            mode: mode, maximumRunning: maximumRunning, maximumRunningPerHost: perHost, isSuspended: isSuspended,
            isGated: isGated, hostOf: { $0.hasPrefix("-") ? nil : String($0.prefix(1)) })
    }

    @discardableResult
    mutating func add(all names: [String], priority: RequestPriority = .normal) -> [Ticket] {
        names.map { add($0, priority: priority) }
    }

    /// Starts everything that may start.
    mutating func startAll() -> [String] {
        var result: [String] = []
        while let (_, element) = startNext() { result.append(element) }
        return result
    }
}

extension RequestScheduler {
    /// Starts the next element; there must be one.
    mutating func start() throws -> (ticket: Ticket, element: Element) {
        let next = startNext()
        return try #require(next)
    }
}
