import Dashboard
import NetworkQueueKit

/// The groups whose transfers have begun, for the dashboard and the report.
struct RunningGroups: Sendable {
    private struct Entry {
        /// The place in the order in which the groups began.
        let order: Int
        /// The fraction that was shown last; like the total's, it never decreases.
        var fraction = 0.0
        var finishedCount = 0
        var bytes: Int64 = 0
    }

    private var entries: [ByteText: Entry] = [:]

    // MARK: The dashboard

    /// Items in the order in which their groups began.
    func sorted(_ items: [GroupItem]) -> [GroupItem] {
        items.sorted { (entries[ByteText($0.name)]?.order ?? 0) < (entries[ByteText($1.name)]?.order ?? 0) }
    }

    /// The item for a group.
    ///
    /// - Parameters:
    ///   - progress: The queue's progress of the group, which counts only what has been read.
    ///   - size: The number of items in the whole group.
    ///   - isAccurate: Whether unknown sizes may be estimated.
    ///   - bytesPerSecond: The speed of the group's transfers.
    mutating func item(
        _ name: String, _ progress: NetworkQueue.Progress, size: Int, isAccurate: Bool, bytesPerSecond: Double?
    ) -> GroupItem {
        var progress = progress
        var entry = entries[ByteText(name)] ?? Entry(order: entries.count)
        let doneCount = progress.doneCount(isAccurate: isAccurate)
        progress.counts.total = max(progress.counts.total, size)
        entry.fraction = max(entry.fraction, min(1, doneCount / Double(max(1, progress.counts.total))))
        entries[ByteText(name)] = entry
        progress.phase = .transferring
        progress.fractionCompleted = entry.fraction
        progress.bytesPerSecond = bytesPerSecond
        return GroupItem(name: name, progress: progress)
    }

    // MARK: Events

    mutating func begin(_ name: String) {
        if entries[ByteText(name)] == nil { entries[ByteText(name)] = Entry(order: entries.count) }
    }

    mutating func finishItem(of name: String, bytes: Int64) {
        guard var entry = entries[ByteText(name)] else { return }
        entry.finishedCount += 1
        entry.bytes = entry.bytes.addingSaturated(bytes)
        entries[ByteText(name)] = entry
    }

    // MARK: The report

    /// What has become of the groups of a job.
    func report(_ sizes: GroupSizes) -> [JobReport.Group] {
        sizes.inOrder.map { name, count in
            let entry = entries[ByteText(name)]
            return JobReport.Group(
                name: name, total: count, finished: entry?.finishedCount ?? 0, bytes: entry?.bytes ?? 0)
        }
    }
}

extension NetworkQueue.Progress {
    /// The number of completed downloads, in which running ones count with the fraction of their bytes.
    ///
    /// The fraction of a group does not serve: it stays where it is when more of a list is read.
    fileprivate func doneCount(isAccurate: Bool) -> Double {
        let lostCount = counts.failed + counts.cancelled
        guard isAccurate || !download.isEstimated, let expected = download.expected, expected > 0 else {
            return Double(counts.finished + lostCount)
        }
        let count = Double(counts.total - lostCount)
        return Double(lostCount) + min(count, Double(download.transferred) * count / Double(expected))
    }
}
