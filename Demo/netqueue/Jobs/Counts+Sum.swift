import NetworkQueueKit

extension NetworkQueue.Progress.Counts {
    /// Adds the counts of others, which may be anyone's numbers.
    mutating func add(_ other: Self) {
        for path in [\Self.total, \.waiting, \.running, \.paused, \.retrying, \.finished, \.failed, \.cancelled] {
            self[keyPath: path] = self[keyPath: path].addingSaturated(other[keyPath: path])
        }
    }
}

extension Int {
    func addingSaturated(_ other: Int) -> Int { Int(Int64(self).addingSaturated(Int64(other))) }
}
