/// Which bytes of a file are there, which are on their way, and who fetches what next: a value without lock, clock or
/// file.
struct ShareMap: Sendable {
    /// The bytes that one exchange fetches, one after the other.
    struct Share: Sendable {
        let id: Int
        /// The first byte that was asked for.
        let start: Int64
        /// Up to here they are in the file.
        fileprivate(set) var written: Int64
        /// The first byte that has not come.
        fileprivate(set) var next: Int64
        /// The first byte that is another one's. It moves: another exchange takes the second half, or gives it back.
        fileprivate(set) var end: Int64
        /// The first byte that the exchange has not asked for.
        let limit: Int64
        /// Up to here the sidecar speaks of them.
        fileprivate var recorded: Int64
        /// From here on the system has not been asked to bring them to the disk.
        fileprivate var flushed: Int64
        /// Whether the exchange is over, or is being stopped, so that it brings no more.
        fileprivate var isClosed = false

        var rest: Int64 { end - next }
        var isWhole: Bool { written == end }
    }

    let total: Int64
    private(set) var shares: [Share] = []
    /// What nobody fetches, in order.
    private(set) var holes: [Range<Int64>]
    private var latestID = 0

    /// - Parameter present: what is in the file, in order.
    init(total: Int64, present: [Range<Int64>]) {
        self.total = total
        holes = Self.complement(of: present, total)
    }

    /// What is in the file, in order.
    var present: [Range<Int64>] {
        let missing = holes + shares.lazy.filter { !$0.isWhole }.map { $0.written..<$0.end }
        return Self.complement(of: missing.sorted { $0.lowerBound < $1.lowerBound }, total)
    }

    var isWhole: Bool { holes.isEmpty && shares.allSatisfy(\.isWhole) }

    /// How much of the largest remainder a new share would get.
    var largestHalf: Int64 { (shares.lazy.filter { !$0.isClosed }.map(\.rest).max() ?? 0) / 2 }

    /// Gives out what nobody fetches, or else the second half of the largest remainder.
    ///
    /// - Parameter minimum: the smallest half; `nil` splits nothing.
    mutating func take(minimum: Int64?) -> Share? {
        if !holes.isEmpty { return add(holes.removeFirst()) }
        guard let minimum, largestHalf >= max(minimum, 1),
            let largest = shares.indices.filter({ !shares[$0].isClosed }).max(by: { shares[$0].rest < shares[$1].rest })
        else { return nil }
        let end = shares[largest].end
        let middle = end - shares[largest].rest / 2
        shares[largest].end = middle
        return add(middle..<end)
    }

    private mutating func add(_ range: Range<Int64>) -> Share {
        latestID += 1
        let start = range.lowerBound
        let share = Share(
            id: latestID, start: start, written: start, next: start, end: range.upperBound, limit: range.upperBound,
            recorded: start, flushed: start)
        shares.append(share)
        return share
    }

    subscript(id: Int) -> Share? { shares.first { $0.id == id } }

    /// Gives a share its next bytes; returns how many of them are its own, or `nil` if it has ended.
    ///
    /// - Parameter takesBack: whether it may also get shares of which nothing has come.
    mutating func accept(_ count: Int, for id: Int, takesBack: Bool = false) -> Int? {
        while let share = self[id], !share.isClosed, share.rest <= Int64(count), extend(share, takesBack) {}
        guard let index = index(of: id) else { return nil }
        let own = Int(min(Int64(count), shares[index].rest))
        shares[index].next += Int64(own)
        if shares[index].rest == 0 { shares[index].isClosed = true }
        return own
    }

    /// Gives a share that comes to its end what is behind it, if its own exchange brings that anyway and nothing of it has
    /// come: what has been given back, or another share. So a server that refuses parts has no effect at all.
    private mutating func extend(_ share: Share, _ takesBack: Bool) -> Bool {
        guard let index = index(of: share.id) else { return false }
        if let hole = holes.firstIndex(where: { $0.lowerBound == share.end && $0.upperBound <= share.limit }) {
            shares[index].end = holes.remove(at: hole).upperBound
            return true
        }
        guard takesBack,
            let next = shares.firstIndex(where: {
                $0.start == share.end && $0.next == $0.start && !$0.isClosed && $0.end <= share.limit
            })
        else { return false }
        shares[index].end = shares[next].end
        shares.remove(at: next)
        return true
    }

    /// Notes that its next bytes have been written.
    mutating func noteWritten(_ count: Int, for id: Int) {
        if let index = index(of: id) { shares[index].written += Int64(count) }
    }

    /// Ends a share. What is missing of it is left to whoever comes next.
    mutating func end(_ id: Int) {
        guard let index = index(of: id) else { return }
        let share = shares.remove(at: index)
        guard share.written < share.end else { return }
        var hole = share.written..<share.end
        if let former = holes.firstIndex(where: { $0.upperBound == hole.lowerBound }) {
            hole = holes.remove(at: former).lowerBound..<hole.upperBound
        }
        if let next = holes.firstIndex(where: { $0.lowerBound == hole.upperBound }) {
            hole = hole.lowerBound..<holes.remove(at: next).upperBound
        }
        holes.insert(hole, at: holes.firstIndex { $0.lowerBound > hole.lowerBound } ?? holes.endIndex)
    }

    /// How many bytes of a share are written of which the sidecar does not speak.
    func unrecorded(of id: Int) -> Int64 { self[id].map { $0.written - $0.recorded } ?? 0 }

    /// The bytes of a share that have gathered in the system's memory, if they are so many. They are asked for once.
    mutating func takeGathered(of id: Int, _ count: Int64) -> Range<Int64>? {
        guard let index = index(of: id), shares[index].written - shares[index].flushed >= count else { return nil }
        defer { shares[index].flushed = shares[index].written }
        return shares[index].flushed..<shares[index].written
    }

    /// Notes that the sidecar speaks of all that is written.
    mutating func noteRecord() {
        for index in shares.indices { shares[index].recorded = shares[index].written }
    }

    private func index(of id: Int) -> Int? { shares.firstIndex { $0.id == id } }

    private static func complement(of ranges: [Range<Int64>], _ total: Int64) -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        var position: Int64 = 0
        for range in ranges {
            if position < range.lowerBound { result.append(position..<range.lowerBound) }
            position = max(position, range.upperBound)
        }
        if position < total { result.append(position..<total) }
        return result
    }
}
