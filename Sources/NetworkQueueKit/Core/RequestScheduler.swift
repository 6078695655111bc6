/// Decides which element starts next.
///
/// An element is waiting, running or parked, and goes:
///
///     add → waiting → startNext → running → finish
///            │ │ ▲                  │
///            │ │ └─ unpark ← parked ◄ park
///            │ └─ park ──────↑  └─ cancel, finish
///            └─ cancel
///
/// Waiting elements start by stage, as far as its limit allows, then by priority, then those that return from being
/// parked (the last to return first), then by `mode` in the order in which they were added. An element whose host may
/// not start is passed over.
///
/// Starting, finishing, adding, cancelling, parking and changing a priority are O(1) amortised, and O(log hosts)
/// while waiting elements are filed by host; never do they depend on the number of elements. Elements are filed by host
/// when the first rule about hosts comes into force, and no more after the last one has gone.
///
/// A ticket whose element has gone is harmless: it is answered with `nil` or `.unknown`, or ignored.
struct RequestScheduler<Element> {
    typealias Ticket = SlotKey
    typealias Stage = RequestStage

    enum State: Sendable {
        case waiting(isReturning: Bool)
        case running
        case parked
    }

    /// Where an element stands. Apart from the element, so that nothing is counted when it changes.
    struct Place: Sendable {
        /// When it took its present place among those waiting.
        var sequence: UInt64 = 0
        /// The host under which it is filed, which decides on its lane.
        var host = HostTable.ID.none
        let stage: Stage
        var priority: RequestPriority
        var state = State.waiting(isReturning: false)
        /// Whether `nextObstructingSizing()` has returned it.
        var isObstructing = false
    }

    /// Which of the waiting elements of one stage and priority starts first. A change is O(hosts), and applies to all
    /// that are waiting.
    var mode: QueueMode {
        didSet { if mode != oldValue { offerAllLanes() } }
    }

    /// How many transfers may run; values below 1 mean no limit. Those running beyond a lowered limit go on.
    var maximumRunning: Int

    /// How many elements of stage `.sizing` may run; values below 1 mean no limit. Where `maximumRunning` is more, that
    /// many may.
    var maximumSizing = 0

    /// While set, nothing starts.
    var isSuspended: Bool

    /// While set, only elements of stage `.sizing` start.
    var isGated: Bool

    let hostOf: @Sendable (Element) -> String?

    var elements = LinkedSlots<Element>()
    /// The place of each slot of `elements`.
    var places: ContiguousArray<Place> = []
    var waiting = LaneTable()
    var running = Lane()
    var parked = Lane()
    var hosts = HostTable()
    var lastSequence: UInt64 = 0

    /// How many elements of each stage run.
    var transferringCount = 0
    var sizingCount = 0
    /// How many of those that transfer are helpers.
    var helpingCount = 0
    /// How many elements wait for something that is not the scheduler's business: the time of a retry, or others.
    var parkedCount = 0

    /// - Parameter hostOf: The host of an element, asked only while a rule about hosts is in force, and once more after
    ///   the element was parked. It must not use the scheduler. Elements without a host are under no such rule.
    init(
        mode: QueueMode = .firstInFirstOut,
        maximumRunning: Int = 0,
        maximumRunningPerHost: Int? = nil,
        isSuspended: Bool = false,
        isGated: Bool = false,
        hostOf: @escaping @Sendable (Element) -> String? = { _ in nil }
    ) {
        self.mode = mode
        self.maximumRunning = maximumRunning
        self.isSuspended = isSuspended
        self.isGated = isGated
        self.hostOf = hostOf
        hosts.maximumRunning = maximumRunningPerHost
    }
}

// MARK: - The life of an element

extension RequestScheduler {
    /// Adds an element behind (or, last in first out, ahead of) those of its stage and priority.
    ///
    /// - Parameter isParked: Whether it may not start until it is unparked.
    @discardableResult
    mutating func add(
        _ element: Element, priority: RequestPriority = .normal, stage: Stage = .transfer, isParked: Bool = false
    ) -> Ticket {
        let ticket = elements.insert(element)
        let place = Place(stage: stage, priority: priority)
        if places.count == Int(ticket.index) { places.append(place) } else { places[Int(ticket.index)] = place }
        if isParked {
            enterParked(ticket.index)
        } else {
            enqueue(ticket.index, isReturning: false)
        }
        return ticket
    }

    /// Whether ``startNext()`` would start one. O(1)
    var mayStartNext: Bool { !isSuspended && waiting.first(in: startableBands) != nil }

    /// Takes the next element that may start, and counts it as running; `nil` when none may.
    mutating func startNext() -> (ticket: Ticket, element: Element)? {
        guard !isSuspended, let (host, band) = waiting.first(in: startableBands),
            let index = front(of: waiting[host, band], band)
        else { return nil }
        elements.unlink(index, from: &waiting[host, band])
        elements.append(index, to: &running)
        places[Int(index)].state = .running
        countRunning(index, by: 1)
        if hosts.start(host) {
            offerLanes(of: host)
        } else {
            offerLane(of: host, band)
        }
        return (elements.key(at: index), elements[index])
    }

    /// Removes an element that ran, or is parked. Returns `nil` for a waiting one, which stays.
    mutating func finish(_ ticket: Ticket) -> Element? {
        guard let index = elements.index(of: ticket) else { return nil }
        switch places[Int(index)].state {
        case .waiting: return nil
        case .running: leaveRunning(index)
        case .parked: leaveParked(index)
        }
        return discard(ticket)
    }

    /// Removes an element that does not run. A running one stays, and counts until it is finished.
    mutating func cancel(_ ticket: Ticket) -> Cancellation<Element> {
        guard let index = elements.index(of: ticket) else { return .unknown }
        switch places[Int(index)].state {
        case .waiting: dequeue(index)
        case .running: return .running(elements[index])
        case .parked: leaveParked(index)
        }
        return discard(ticket).map { .removed($0) } ?? .unknown
    }

    /// Sets an element aside until it is unparked: it gives its slot back, if it has one. One that is set aside already
    /// is left as it is.
    mutating func park(_ ticket: Ticket) {
        guard let index = elements.index(of: ticket) else { return }
        switch places[Int(index)].state {
        case .waiting: dequeue(index)
        case .running: leaveRunning(index)
        case .parked: return
        }
        enterParked(index)
    }

    /// Lets a parked element start again, ahead of everything that waits in its stage and priority, whatever the mode.
    mutating func unpark(_ ticket: Ticket) {
        guard let index = elements.index(of: ticket), case .parked = places[Int(index)].state else { return }
        leaveParked(index)
        enqueue(index, isReturning: true)
    }

    /// Puts a waiting element ahead of all that wait in its stage and priority. Others are left as they are.
    mutating func moveToFront(_ ticket: Ticket) {
        guard let index = elements.index(of: ticket), case .waiting = places[Int(index)].state else { return }
        dequeue(index)
        enqueue(index, isReturning: true)
    }

    /// Changes the priority of an element.
    ///
    /// A waiting one counts as newly added to its new priority: it goes where `add` would put it. (To sort it in by
    /// the time when it was first added would cost every element a search tree.) One that returns from being parked
    /// goes ahead of all again. For a running or parked one it matters when it returns.
    mutating func setPriority(_ ticket: Ticket, _ priority: RequestPriority) {
        guard let index = elements.index(of: ticket), places[Int(index)].priority != priority else { return }
        if case .waiting(let isReturning) = places[Int(index)].state {
            dequeue(index)
            places[Int(index)].priority = priority
            enqueue(index, isReturning: isReturning)
        } else {
            places[Int(index)].priority = priority
        }
    }
}

extension RequestScheduler: Sendable where Element: Sendable {}

/// What a cancellation found.
enum Cancellation<Element> {
    /// It was waiting or parked, and is gone now.
    case removed(Element)
    /// It is running, and counts as such until it is finished.
    case running(Element)
    /// It is not there, or no longer.
    case unknown
}

extension Cancellation: Sendable where Element: Sendable {}
extension Cancellation: Equatable where Element: Equatable {}

extension RequestScheduler {
    /// How many elements there are in all.
    var count: Int { elements.count }

    /// Whether the element is there, in whatever state. O(1)
    func contains(_ ticket: Ticket) -> Bool {
        elements.index(of: ticket) != nil
    }

    /// Whether the element runs. O(1)
    func isRunning(_ ticket: Ticket) -> Bool {
        guard let index = elements.index(of: ticket), case .running = places[Int(index)].state else { return false }
        return true
    }

    /// How many elements run.
    var runningCount: Int { transferringCount + sizingCount }

    /// How many elements could be started by `startNext()`, sooner or later.
    var waitingCount: Int { count - runningCount - parkedCount }

    /// The elements that run, in the order in which they were started. O(running)
    var runningElements: [Element] {
        indices(in: running).map { elements[$0] }
    }

    /// Those running in the order in which they were started, those waiting in the order in which they would start if
    /// nothing but their order kept them from it, and those parked in the order in which they were parked.
    /// O(n log hosts)
    var elementsInOrder: [Element] {
        (indices(in: running) + waitingIndices + parkedIndices).map { elements[$0] }
    }

    var waitingIndices: [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(waitingCount)
        for band in Band.all { appendIndices(of: band, to: &result) }
        return result
    }

    var parkedIndices: [UInt32] {
        indices(in: parked)
    }

    private func indices(in lane: Lane) -> [UInt32] {
        var result: [UInt32] = []
        elements.forEach(in: lane) { result.append($0) }
        return result
    }

    /// Merges the lanes of a band.
    private func appendIndices(of band: Band, to result: inout [UInt32]) {
        var fronts: [UInt32?] = []
        var heap = IndexedHeap()
        for host in waiting.hosts {
            let front = front(of: waiting[host, band], band)
            fronts.append(front)
            if let front { heap.set(host.rawValue, rank: rank(of: front, band)) }
        }
        while let host = heap.first, let index = fronts[Int(host)] {
            result.append(index)
            let next = isNewestFirst(band) ? elements.index(before: index) : elements.index(after: index)
            fronts[Int(host)] = next
            if let next { heap.set(host, rank: rank(of: next, band)) } else { heap.remove(host) }
        }
    }
}
