/// Tracks which bytes of a file are stored, which are being fetched, and what to fetch next. Uses no lock, clock or
/// file: times are passed in, as durations since any fixed moment.
struct ShareMap: Sendable {
    /// The bytes that one exchange fetches in sequence.
    struct Share: Sendable {
        let id: Int
        /// The first requested byte.
        let start: Int64
        /// The end of the bytes that are written to the file.
        fileprivate(set) var written: Int64
        /// The first byte that has not arrived.
        fileprivate(set) var next: Int64
        /// The end of the share. It moves back when another exchange takes the second half, and forward when that is
        /// given back.
        fileprivate(set) var end: Int64
        /// The end of the range that the exchange delivers.
        fileprivate(set) var limit: Int64
        /// Whether the exchange delivers less than it has requested. It then ends by itself with the share.
        fileprivate var isCut = false
        /// The end of the bytes that the sidecar records.
        fileprivate var recorded: Int64
        /// The end of the bytes that the system was asked to write to disk.
        fileprivate var flushed: Int64
        /// Whether the exchange has ended or is being stopped and delivers no more.
        fileprivate var isClosed = false
        /// When the share was given out.
        fileprivate let begun: Duration
        /// When its first bytes arrived.
        fileprivate var answered: Duration?

        var rest: Int64 { end - next }
        var isShortened: Bool { isCut && end == limit }
        var isWhole: Bool { written == end }

        /// How long the rest takes at the average speed so far; `nil` if too little has arrived to tell.
        fileprivate func restDuration(at now: Duration) -> Duration? {
            guard let answered, now - answered >= ShareMap.measuringTime, next > start else { return nil }
            return (now - answered) * (Double(rest) / Double(next - start))
        }
    }

    /// The smallest part of a slow share: about what a new connection delivers in its first round trip.
    static let smallestPart: Int64 = 16 * 1024
    /// How long a share must have been arriving before its speed counts, and how long its rest must take at least
    /// to be divided for its slowness.
    private static let measuringTime = Duration.seconds(1)

    let total: Int64
    private(set) var shares: [Share] = []
    /// The missing ranges that nobody fetches, in ascending order.
    private(set) var holes: [Range<Int64>]
    /// How much a new share takes of a hole; `nil` if it takes all of it.
    var pieceLength: Int64?
    private var latestID = 0
    /// The smoothed time from giving out a share to its first bytes; `nil` before the first measurement.
    private var answerTime: Duration?

    /// - Parameter present: the stored ranges, in ascending order.
    init(total: Int64, present: [Range<Int64>]) {
        self.total = total
        holes = Self.complement(of: present, total)
    }

    /// The stored ranges, in ascending order.
    var present: [Range<Int64>] {
        let missing = holes + shares.lazy.filter { !$0.isWhole }.map { $0.written..<$0.end }
        return Self.complement(of: missing.sorted { $0.lowerBound < $1.lowerBound }, total)
    }

    /// The end of the stored bytes that begin the file. It never moves back.
    var beginning: Int64 { present.first.flatMap { $0.lowerBound == 0 ? $0.upperBound : nil } ?? 0 }

    var isWhole: Bool { holes.isEmpty && shares.allSatisfy(\.isWhole) }

    /// Whether ``take(minimum:at:)`` would return a share.
    func hasMore(minimum: Int64?, at now: Duration) -> Bool {
        !holes.isEmpty || minimum.flatMap { divisible(minimum: $0, at: now) } != nil
    }

    /// Takes a range that nobody fetches, or else the second half of a remainder: the largest one, or if that is too
    /// small, the one that takes longest at its own speed.
    ///
    /// - Parameter minimum: the smallest half worth taking at any speed; `nil` prevents splitting.
    mutating func take(minimum: Int64?, at now: Duration) -> Share? {
        if let hole = holes.first {
            let piece = takePiece(ofHole: 0)
            // The first exchange already delivers all of the range.
            return add(piece, limit: latestID == 0 ? hole.upperBound : piece.upperBound, at: now)
        }
        guard let minimum, let index = divisible(minimum: minimum, at: now) else { return nil }
        let end = shares[index].end
        let middle = end - shares[index].rest / 2
        shares[index].end = middle
        return add(middle..<end, limit: end, at: now)
    }

    /// The share whose second half is worth another request.
    private func divisible(minimum: Int64, at now: Duration) -> Int? {
        let open = shares.indices.lazy.filter { !shares[$0].isClosed }
        guard let largest = open.max(by: { shares[$0].rest < shares[$1].rest }) else { return nil }
        if shares[largest].rest / 2 >= max(minimum, 1) { return largest }
        guard let answerTime else { return nil }
        // The other half arrives later by the time that a request takes. Dividing gains nothing if half of the rest has
        // arrived by then.
        let threshold = max(answerTime * 2, Self.measuringTime)
        let slow = open.compactMap { index -> (index: Int, duration: Duration)? in
            guard shares[index].rest / 2 >= Self.smallestPart, let duration = shares[index].restDuration(at: now),
                duration > threshold
            else { return nil }
            return (index, duration)
        }
        return slow.max { $0.duration < $1.duration }?.index
    }

    /// Removes the next piece of a hole.
    private mutating func takePiece(ofHole index: Int) -> Range<Int64> {
        let hole = holes.remove(at: index)
        guard let pieceLength, Int64(hole.count) > pieceLength else { return hole }
        let end = hole.lowerBound + pieceLength
        holes.insert(end..<hole.upperBound, at: index)
        return hole.lowerBound..<end
    }

    private mutating func add(_ range: Range<Int64>, limit: Int64, at now: Duration) -> Share {
        latestID += 1
        let start = range.lowerBound
        let share = Share(
            id: latestID, start: start, written: start, next: start, end: range.upperBound, limit: limit,
            recorded: start, flushed: start, begun: now)
        shares.append(share)
        return share
    }

    subscript(id: Int) -> Share? { shares.first { $0.id == id } }

    /// Assigns the next bytes to a share. Returns how many of them belong to it, or `nil` if the share has ended.
    ///
    /// - Parameter takesBack: whether the share may absorb following shares that have received nothing yet.
    mutating func accept(_ count: Int, for id: Int, takesBack: Bool = false, at now: Duration) -> Int? {
        while let share = self[id], !share.isClosed, share.rest <= Int64(count), extend(share, takesBack) {}
        guard let index = index(of: id) else { return nil }
        let own = Int(min(Int64(count), shares[index].rest))
        noteAnswer(of: index, at: now)
        shares[index].next += Int64(own)
        if shares[index].rest == 0 { shares[index].isClosed = true }
        return own
    }

    /// Notes that bytes of a share have arrived.
    private mutating func noteAnswer(of index: Int, at now: Duration) {
        guard shares[index].answered == nil else { return }
        shares[index].answered = now
        // The first share is given out only once its response has begun.
        guard shares[index].id > 1 else { return }
        let time = now - shares[index].begun
        answerTime = answerTime.map { ($0 + time) / 2 } ?? time
    }

    /// Extends a share that reaches its end by the range after it, if its own exchange requested that range anyway and
    /// none of it has arrived: a range that was given back, or another share. A server that refuses range requests
    /// therefore does no harm.
    private mutating func extend(_ share: Share, _ takesBack: Bool) -> Bool {
        guard let index = index(of: share.id) else { return false }
        if let hole = holes.firstIndex(where: { $0.lowerBound == share.end && $0.upperBound <= share.limit }) {
            shares[index].end = takePiece(ofHole: hole).upperBound
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

    /// Limits a share to the bytes up to `end`, because its exchange delivers no more.
    mutating func shorten(_ id: Int, to end: Int64) {
        guard let index = index(of: id), end < shares[index].limit, end > shares[index].next else { return }
        shares[index].limit = end
        shares[index].isCut = true
        guard end < shares[index].end else { return }
        addHole(end..<shares[index].end)
        shares[index].end = end
    }

    /// Notes that the next bytes of a share were written.
    mutating func noteWritten(_ count: Int, for id: Int) {
        if let index = index(of: id) { shares[index].written += Int64(count) }
    }

    /// Ends a share and leaves its missing bytes to another exchange.
    mutating func end(_ id: Int) {
        guard let index = index(of: id) else { return }
        let share = shares.remove(at: index)
        if share.written < share.end { addHole(share.written..<share.end) }
    }

    private mutating func addHole(_ range: Range<Int64>) {
        var hole = range
        if let former = holes.firstIndex(where: { $0.upperBound == hole.lowerBound }) {
            hole = holes.remove(at: former).lowerBound..<hole.upperBound
        }
        if let next = holes.firstIndex(where: { $0.lowerBound == hole.upperBound }) {
            hole = hole.lowerBound..<holes.remove(at: next).upperBound
        }
        holes.insert(hole, at: holes.firstIndex { $0.lowerBound > hole.lowerBound } ?? holes.endIndex)
    }

    /// The number of bytes of a share that are written but not recorded in the sidecar.
    func unrecorded(of id: Int) -> Int64 { self[id].map { $0.written - $0.recorded } ?? 0 }

    /// Takes a share's written bytes that the system has not been asked to flush, if there are at least `count`.
    mutating func takeGathered(of id: Int, _ count: Int64) -> Range<Int64>? {
        guard let index = index(of: id), shares[index].written - shares[index].flushed >= count else { return nil }
        defer { shares[index].flushed = shares[index].written }
        return shares[index].flushed..<shares[index].written
    }

    /// Notes that the sidecar records all written bytes.
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
