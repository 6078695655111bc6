/// The stages with transfers that have not ended, and the highest stage whose transfers may start.
///
/// Transfers of a stage may start once those of all lower stages have ended, and only up to ``bound``. Stage 0 alone
/// costs one count. Every operation is O(log stages), and adding a new stage moves the lower ones.
struct StageTable: Sendable {
    private struct Stage: Sendable {
        let number: Int
        var count: Int
    }

    /// The stages other than 0, the highest first, so that the lowest is removed at the end.
    private var others: ContiguousArray<Stage> = []
    /// The number of transfers in `others`.
    private var otherCount = 0
    /// The number of transfers in stage 0.
    private var mainCount = 0
    /// The highest stage that may start even if all lower stages have ended, because more of those are to come; `nil`
    /// if there is no such bound.
    private(set) var bound: Int?
    /// The highest stage whose transfers may start.
    private(set) var highestOpen = Int.max

    /// Whether a transfer of a stage other than 0 has not ended.
    var isInUse: Bool { !others.isEmpty }

    /// Whether transfers of a stage may start.
    func mayStart(_ stage: Int) -> Bool { stage <= highestOpen }

    /// The number of transfers whose stage may not start.
    var closedCount: Int {
        guard highestOpen != .max else { return 0 }
        let lowest = lowest
        let openCount = lowest.number <= highestOpen ? lowest.count : 0
        return mainCount + otherCount - openCount
    }

    /// Counts a new transfer. Returns whether ``highestOpen`` has changed.
    mutating func enter(_ stage: Int) -> Bool {
        if stage == 0 { mainCount += 1 } else { change(stage, by: 1) }
        return update()
    }

    /// Counts a transfer that has ended. Returns whether ``highestOpen`` has changed.
    mutating func leave(_ stage: Int) -> Bool {
        if stage == 0 { mainCount -= 1 } else { change(stage, by: -1) }
        return update()
    }

    /// Changes the bound. Returns whether ``highestOpen`` has changed.
    mutating func setBound(_ bound: Int?) -> Bool {
        self.bound = bound
        return update()
    }

    // MARK: Private

    private var lowest: Stage {
        guard let last = others.last, mainCount == 0 || last.number < 0 else {
            return Stage(number: mainCount > 0 ? 0 : .max, count: mainCount)
        }
        return last
    }

    private mutating func update() -> Bool {
        let isUnrestricted = others.isEmpty && bound == nil
        let former = highestOpen
        highestOpen = isUnrestricted ? .max : min(lowest.number, bound ?? .max)
        return highestOpen != former
    }

    private mutating func change(_ stage: Int, by difference: Int) {
        otherCount += difference
        // Binary search for the first that is not higher.
        var (start, end) = (0, others.count)
        while start < end {
            let middle = (start + end) / 2
            if others[middle].number > stage { start = middle + 1 } else { end = middle }
        }
        guard start < others.count, others[start].number == stage else {
            return others.insert(Stage(number: stage, count: difference), at: start)
        }
        others[start].count += difference
        if others[start].count == 0 { others.remove(at: start) }
    }
}
