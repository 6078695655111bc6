/// Decides which element starts next.
///
/// An element is waiting, running or parked:
///
/// ```text
/// add → waiting → startNext → running → finish
///        │ │ ▲                  │
///        │ │ └─ unpark ← parked ◄ park
///        │ └─ park ──────↑  └─ cancel, finish
///        └─ cancel
/// ```
///
/// Waiting elements start in this order: by stage, within the stage's limit; then by priority; then returning ones (the
/// last to return first); then by `mode` and the order in which they were added. Elements whose host may not start are
/// skipped.
///
/// Adding, starting, finishing, canceling, parking and changing a priority are amortized O(1), or O(log hosts) while
/// waiting elements are filed by host; none depends on the number of elements. Elements are filed by host while there
/// is a rule about hosts.
///
/// A ticket whose element was removed is harmless: functions ignore it or return `nil` or `.unknown`.
struct RequestScheduler<Element> {
    typealias Ticket = SlotKey
    typealias Stage = RequestStage

    enum State: Sendable {
        case waiting(isReturning: Bool)
        case running
        case parked
    }

    /// The state of an element. Stored apart from the element, so that changing it causes no reference counting.
    struct Place: Sendable {
        /// Orders waiting elements: assigned when the element took its current place.
        var sequence: UInt64 = 0
        /// The host under which the element is filed, which determines its lane.
        var host = HostTable.ID.none
        let stage: Stage
        var priority: RequestPriority
        var state = State.waiting(isReturning: false)
        /// Whether `nextObstructingSizing()` has returned the element.
        var isObstructing = false
    }

    /// Which waiting element of equal stage and priority starts first. A change is O(hosts) and applies to all waiting
    /// elements.
    var mode: QueueMode {
        didSet { if mode != oldValue { offerAllLanes() } }
    }

    /// The maximum number of running transfers; values below 1 mean no limit. After the limit is lowered, running
    /// transfers continue.
    var maximumRunning: Int

    /// The maximum number of running elements of stage `.sizing`, but at least `maximumRunning`. There is no limit if
    /// either value is below 1.
    var maximumSizing = 0

    /// Whether nothing may start.
    var isSuspended: Bool

    /// Whether only elements of stage `.sizing` may start.
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

    /// The number of running elements of each kind; transfers include helpers.
    var transferringCount = 0
    var sizingCount = 0
    /// The number of running helpers.
    var helpingCount = 0
    /// The number of parked elements, which wait for something outside the scheduler, such as the time of a retry.
    var parkedCount = 0

    /// - Parameter hostOf: Returns the host of an element. Called only while a rule about hosts is in force, and again
    ///   after an element was parked. It must not use the scheduler. Rules do not apply to elements without a host.
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

// MARK: - Element lifecycle

extension RequestScheduler {
    /// Adds an element behind those of its stage and priority, or ahead of them in last-in-first-out mode.
    ///
    /// - Parameter isParked: Whether the element must not start until it is unparked.
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

    /// Whether ``startNext()`` would start an element. O(1)
    var mayStartNext: Bool { !isSuspended && waiting.first(in: startableBands) != nil }

    /// Starts the next element that may start and counts it as running; `nil` if there is none.
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

    /// Removes a running or parked element. Returns `nil` for a waiting one, which stays.
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

    /// Parks an element until it is unparked, and frees its slot, if it has one. A parked element is unchanged.
    mutating func park(_ ticket: Ticket) {
        guard let index = elements.index(of: ticket) else { return }
        switch places[Int(index)].state {
        case .waiting: dequeue(index)
        case .running: leaveRunning(index)
        case .parked: return
        }
        enterParked(index)
    }

    /// Lets a parked element start, ahead of all others of its stage and priority, in either mode.
    mutating func unpark(_ ticket: Ticket) {
        guard let index = elements.index(of: ticket), case .parked = places[Int(index)].state else { return }
        leaveParked(index)
        enqueue(index, isReturning: true)
    }

    /// Moves a waiting element ahead of all others of its stage and priority. Running and parked elements are
    /// unchanged.
    mutating func moveToFront(_ ticket: Ticket) {
        guard let index = elements.index(of: ticket), case .waiting = places[Int(index)].state else { return }
        dequeue(index)
        enqueue(index, isReturning: true)
    }

    /// Changes the priority of an element.
    ///
    /// A waiting element goes where `add` would put it among those of its new priority. (Sorting it in by the time it
    /// was first added would require a search tree for all elements.) A returning element goes ahead of all others
    /// again. For running and parked elements, the new priority applies when they return.
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

/// The result of a cancellation.
enum Cancellation<Element> {
    /// The element was waiting or parked, and has been removed.
    case removed(Element)
    /// The element is running, and counts until it is finished.
    case running(Element)
    /// The element is not in the scheduler.
    case unknown
}

extension Cancellation: Sendable where Element: Sendable {}
extension Cancellation: Equatable where Element: Equatable {}

extension RequestScheduler {
    /// The number of elements in all states.
    var count: Int { elements.count }

    /// Whether the element is in the scheduler, in any state. O(1)
    func contains(_ ticket: Ticket) -> Bool {
        elements.index(of: ticket) != nil
    }

    /// Whether the element runs. O(1)
    func isRunning(_ ticket: Ticket) -> Bool {
        guard let index = elements.index(of: ticket), case .running = places[Int(index)].state else { return false }
        return true
    }

    /// The number of running elements.
    var runningCount: Int { transferringCount + sizingCount }

    /// The number of waiting elements.
    var waitingCount: Int { count - runningCount - parkedCount }

    /// The running elements, in the order in which they started. O(running)
    var runningElements: [Element] {
        indices(in: running).map { elements[$0] }
    }

    /// All elements: running ones in the order in which they started, waiting ones in the order in which they would
    /// start without any limits, and parked ones in the order in which they were parked. O(n log hosts)
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

    /// Appends the elements of a band's lanes, merged by rank.
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
