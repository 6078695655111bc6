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
/// Waiting elements start in this order: by kind, within the limit of the kind; then by priority; then returning ones
/// (the last to return first); then by `mode` and the order in which they were added. Elements on a closed shelf,
/// because of their host, group or stage, are skipped.
///
/// Adding, starting, finishing, canceling, parking and changing a priority are amortized O(1), and O(log shelves) while
/// there are several shelves; in the modes that order by size, they are O(log n). A rule that closes or opens shelves
/// costs O(log shelves) for each of them. Elements are filed by
/// host or group while there is a rule about those.
///
/// A ticket whose element was removed is harmless: functions ignore it or return `nil` or `.unknown`.
struct RequestScheduler<Element> {
    typealias Ticket = SlotKey
    typealias Kind = RequestKind

    enum State: Sendable {
        case waiting(isReturning: Bool)
        case running
        case parked
    }

    /// The state of an element. Stored apart from the element, so that changing it causes no reference counting.
    struct Place: Sendable {
        /// Orders waiting elements: assigned when the element took its current place.
        var sequence: UInt64 = 0
        /// The shelf on which the element is filed, which determines its lane. A running or parked element keeps it.
        var shelf = ShelfTable.ID.first
        let kind: Kind
        var priority: RequestPriority
        var state = State.waiting(isReturning: false)
        /// Whether `nextObstructingSizing()` has returned the element.
        var isObstructing = false
    }

    /// Which waiting element of equal kind and priority starts first. A change is O(shelves), and O(n log n) to a
    /// mode that orders by size. It applies to all waiting elements.
    var mode: QueueMode {
        didSet { if mode != oldValue { modeDidChange(from: oldValue) } }
    }

    /// The maximum number of running transfers; values below 1 mean no limit. After the limit is lowered, running
    /// transfers continue.
    var maximumRunning: Int

    /// The maximum number of running elements of kind `.sizing`, but at least `maximumRunning`. There is no limit if
    /// either value is below 1.
    var maximumSizing = 0

    /// Whether nothing may start.
    var isSuspended: Bool

    /// Whether nothing may start because as many exchanges have started as a rate allows.
    var isOutOfRate = false

    /// Whether only elements of kind `.sizing` may start.
    var isGated: Bool

    let hostOf: @Sendable (Element) -> String?
    let groupOf: @Sendable (Element) -> UInt32

    var elements = LinkedSlots<Element>()
    /// The place of each slot of `elements`.
    var places: ContiguousArray<Place> = []
    var waiting = ShelfTable()
    var sized = SizedLanes()
    /// The size of each slot of `elements`, as far as it is known; empty unless the mode orders by size.
    var sizes: ContiguousArray<Int64?> = []
    var running = Lane()
    var parked = Lane()
    var hosts = LimitTable<String>()
    /// Groups have numbers; 0 is no group.
    var groups = LimitTable<UInt32>()
    var stages = StageTable()
    var lastSequence: UInt64 = 0

    /// The number of running elements of each kind; transfers include helpers.
    var transferringCount = 0
    var sizingCount = 0
    /// The number of running helpers.
    var helpingCount = 0
    /// The number of parked elements, which wait for something outside the scheduler, such as the time of a retry.
    var parkedCount = 0

    /// - Parameters:
    ///   - hostOf: Returns the host of an element. Called only while a rule about hosts is in force, and again after an
    ///     element was parked. It must not use the scheduler. Rules do not apply to elements without a host.
    ///   - groupOf: Returns the number of an element's group, 0 for none, under the same conditions.
    init(
        mode: QueueMode = .firstInFirstOut,
        maximumRunning: Int = 0,
        maximumRunningPerHost: Int? = nil,
        isSuspended: Bool = false,
        isGated: Bool = false,
        hostOf: @escaping @Sendable (Element) -> String? = { _ in nil },
        groupOf: @escaping @Sendable (Element) -> UInt32 = { _ in 0 }
    ) {
        self.mode = mode
        self.maximumRunning = maximumRunning
        self.isSuspended = isSuspended
        self.isGated = isGated
        self.hostOf = hostOf
        self.groupOf = groupOf
        hosts.maximumRunning = maximumRunningPerHost
    }
}

// MARK: - Element lifecycle

extension RequestScheduler {
    /// Adds an element behind those of its kind and priority, or ahead of them in last-in-first-out mode.
    ///
    /// - Parameters:
    ///   - isParked: Whether the element must not start until it is unparked.
    ///   - stage: The stage of a transfer: it starts after those of lower stages have ended, parked ones too.
    ///   - size: The size of a transfer, if it is known. Used only in the modes that order by size.
    @discardableResult
    mutating func add(
        _ element: Element, priority: RequestPriority = .normal, kind: Kind = .transfer, isParked: Bool = false,
        stage: Int = 0, size: Int64? = nil
    ) -> Ticket {
        let ticket = elements.insert(element)
        let place = Place(kind: kind, priority: priority)
        if places.count == Int(ticket.index) { places.append(place) } else { places[Int(ticket.index)] = place }
        if mode.ordersBySize { noteSize(size, of: ticket.index) }
        if kind == .transfer, stages.enter(stage) { closeShelvesByStage() }
        file(ticket.index, stage: kind == .transfer ? stage : 0)
        if isParked {
            enterParked(ticket.index)
        } else {
            enqueue(ticket.index, isReturning: false)
        }
        return ticket
    }

    /// Whether ``startNext()`` would start an element. O(1)
    var mayStartNext: Bool { !isSuspended && !isOutOfRate && waiting.first(in: startableBands) != nil }

    /// Starts the next element that may start and counts it as running; `nil` if there is none.
    mutating func startNext() -> (ticket: Ticket, element: Element)? {
        guard !isSuspended, !isOutOfRate, let (shelf, band) = waiting.first(in: startableBands),
            let index = front(of: shelf, band)
        else { return nil }
        unlink(index, from: shelf, band)
        elements.append(index, to: &running)
        places[Int(index)].state = .running
        countRunning(index, by: 1)
        offerLane(of: shelf, band)
        let (host, group) = (waiting.host(of: shelf), waiting.group(of: shelf))
        if hosts.start(host) { closeShelves(hosts.shelves(of: host)) }
        if groups.start(group) { closeShelves(groups.shelves(of: group)) }
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

    /// Lets a parked element start, ahead of all others of its kind and priority, in either mode.
    mutating func unpark(_ ticket: Ticket) {
        guard let index = elements.index(of: ticket), case .parked = places[Int(index)].state else { return }
        leaveParked(index)
        refile(index)
        enqueue(index, isReturning: true)
    }

    /// Moves a waiting element ahead of all others of its kind and priority. Running and parked elements are
    /// unchanged.
    mutating func moveToFront(_ ticket: Ticket) {
        guard let index = elements.index(of: ticket), case .waiting = places[Int(index)].state else { return }
        dequeue(index)
        refile(index)
        enqueue(index, isReturning: true)
    }

    /// Changes the known size of an element. Without effect unless the mode orders by size. O(log n)
    mutating func setSize(_ ticket: Ticket, _ size: Int64?) {
        guard mode.ordersBySize, let index = elements.index(of: ticket) else { return }
        noteSize(size, of: index)
        if case .waiting = places[Int(index)].state { updateRank(of: index) }
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
            refile(index)
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
    /// start without any limits, and parked ones in the order in which they were parked. O(n log n)
    var elementsInOrder: [Element] {
        (indices(in: running) + waitingIndices + parkedIndices).map { elements[$0] }
    }

    var waitingIndices: [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(waitingCount)
        let shelves = Dictionary(grouping: waiting.all, by: waiting.stage(of:)).sorted { $0.key < $1.key }.map(\.value)
        for shelves in shelves {
            for band in Band.all where band.kind == .transfer { appendIndices(of: band, on: shelves, to: &result) }
        }
        for band in Band.all where band.kind != .transfer { appendIndices(of: band, on: waiting.all, to: &result) }
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
    private func appendIndices(of band: Band, on shelves: [ShelfTable.ID], to result: inout [UInt32]) {
        var found: [(rank: StartRank, index: UInt32)] = []
        for shelf in shelves {
            elements.forEach(in: waiting[shelf, band]) { found.append((rank(of: $0, band), $0)) }
        }
        // One lane in order of adding is sorted already, which `sort` notices.
        found.sort { $0.rank < $1.rank }
        result += found.lazy.map(\.index)
    }
}
