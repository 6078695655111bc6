import Dashboard
import NetworkQueueKit

extension StatusBoard {
    /// One bar over all machines, below a line for each that has not ended well.
    var model: DashboardModel { DashboardModel(progress: progress, items: items) }

    /// What became of each machine that has not ended well, for the end.
    var notes: [String] { items.compactMap { item in item.remark.map { "\(item.name): \($0)" } } }

    /// The sums. What is unknown of one machine that has not ended is unknown of all.
    var progress: NetworkQueue.Progress {
        let machines = machines
        let conditions = machines.map { condition(of: $0) }
        var sum = NetworkQueue.Progress(phase: .transferring)
        (sum.download.expected, sum.upload.expected) = (0, 0)
        for status in machines.compactMap(\.status) {
            sum.counts.add(status.progress.counts)
            let (download, upload) = (status.progress.download, status.progress.upload)
            sum.download.add(download, opposite: upload, hasEnded: status.exit != nil)
            sum.upload.add(upload, opposite: download, hasEnded: status.exit != nil)
        }
        let running = zip(machines, conditions).filter { $1 == .running }.compactMap { $0.0.status?.progress }
        let rates = running.compactMap(\.bytesPerSecond)
        sum.bytesPerSecond = rates.isEmpty ? nil : rates.reduce(0, +)
        // The parts of a list do not move to faster machines, so the slowest machine decides.
        let rests = running.map(\.remaining)
        sum.estimatedTimeRemaining = rests.contains(nil) ? nil : rests.compactMap { $0 }.max()
        sum.fractionCompleted = sum.sharedFraction
        let sizings = running.map(\.phase.sizing)
        if conditions.allSatisfy({ $0 == .running }), !sizings.contains(where: { $0 == nil }) {
            let counts = sizings.compactMap { $0 }.reduce((0, 0)) {
                ($0.0.addingSaturated($1.0), $0.1.addingSaturated($1.1))
            }
            sum.phase = .sizing(completed: counts.0, total: counts.1)
        } else if !conditions.contains(where: { $0 == .running || $0.isLost }) {
            (sum.phase, sum.fractionCompleted) = (.finished, 1)
        }
        return sum
    }

    private var items: [ActiveItem] {
        let machines = machines
        let limit = slowLimit(machines)
        let items = machines.compactMap { machine -> (rank: Int, item: ActiveItem)? in
            let progress = machine.status?.progress ?? .init()
            var item = ActiveItem(name: machine.name, transferred: progress.transferred, expected: progress.expected)
            switch condition(of: machine) {
            case .well: return nil
            case .lost(let text):
                item.remark = text
                return (0, item)
            case .failed(let text):
                item.remark = text
                return (1, item)
            case .running:
                if case .sizing(let completed, let total) = progress.phase {
                    item.remark = "sizing \(completed) of \(total)"
                }
                item.bytesPerSecond = progress.bytesPerSecond
                guard let speed = machine.speed, let limit, speed < limit else { return (3, item) }
                item.name += ", slow"
                return (2, item)
            }
        }
        // A stable order: machines do not swap places without a reason.
        return items.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.item)
    }

    /// Half of the median speed, below which a machine is slow; `nil` for less than two.
    private func slowLimit(_ machines: [Machine]) -> Double? {
        let speeds = machines.filter { condition(of: $0) == .running }.compactMap(\.speed).sorted()
        return speeds.count < 2 ? nil : speeds[speeds.count / 2] / 2
    }
}

extension StatusBoard.Condition {
    var isLost: Bool { if case .lost = self { true } else { false } }
}

extension StatusBoard.Machine {
    /// The writes after which a job without a speed has one of 0.
    private static let settled = 10

    /// The speed to compare with others; `nil` if it is not known yet.
    fileprivate var speed: Double? {
        guard let status, status.progress.phase == .transferring else { return nil }
        return status.progress.bytesPerSecond ?? (status.sequence > Self.settled ? 0 : nil)
    }
}

extension NetworkQueue.Progress.Phase {
    fileprivate var sizing: (Int, Int)? {
        if case .sizing(let completed, let total) = self { (completed, total) } else { nil }
    }
}

extension NetworkQueue.Progress {
    fileprivate var transferred: Int64 { download.transferred.addingSaturated(upload.transferred) }

    fileprivate var expected: Int64? {
        guard download.expected != nil || upload.expected != nil else { return nil }
        return (download.expected ?? 0).addingSaturated(upload.expected ?? 0)
    }

    /// The remaining time, also for a moment in which nothing moves; `nil` if it is unknown.
    fileprivate var remaining: Duration? {
        if let estimatedTimeRemaining { return estimatedTimeRemaining }
        guard let expected else { return nil }
        if expected <= transferred { return .zero }
        guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        return .bounded(seconds: Double(expected - transferred) / bytesPerSecond)
    }

    /// The fraction of the bytes, or of the files while a size is unknown.
    fileprivate var sharedFraction: Double {
        if let expected, expected > 0 { return min(1, Double(transferred) / Double(expected)) }
        let ended = counts.failed.addingSaturated(counts.cancelled)
        return counts.total > ended ? min(1, Double(counts.finished) / Double(counts.total - ended)) : 0
    }
}

extension NetworkQueue.Progress.Bytes {
    /// Adds the bytes that a machine moves in one direction. If only those of the opposite direction are expected, no
    /// more are to come.
    fileprivate mutating func add(_ other: Self, opposite: Self, hasEnded: Bool) {
        transferred = transferred.addingSaturated(other.transferred)
        isEstimated = isEstimated || other.isEstimated
        let known = other.expected ?? (opposite.expected == nil ? nil : other.transferred)
        guard let more = hasEnded ? other.transferred : known else { return expected = nil }
        expected = expected?.addingSaturated(more)
    }
}
