/// The core of both queues: decides which element runs next, first in first out or last in first out.
///
/// A value without locks, clocks or callbacks. Its functions change what waits and runs; afterwards,
/// ``giveSlots(now:begin:start:)`` says which elements start.
struct QueueCore<Element: QueueElement> {
    var scheduler: RequestScheduler<Element>
    private var duplicates: DuplicateIndex<Element>
    /// The hosts whose waiting elements are held back, with the end of each hold.
    private var holds: [String: Duration] = [:] {
        didSet { setWakeTime() }
    }
    /// The limits on how many exchanges start in a time.
    var rates = RequestRates()
    /// The exchanges that wait because of ``rates``, in order.
    var turns: [Turn] = []
    private let cap: RequestCap
    /// The number of paused elements.
    private(set) var pausedCount = 0
    /// The number of elements that the library has added to help others.
    private var helperCount = 0
    /// When to check again whether the process has room for another request.
    private var nextCapLook: Duration? {
        didSet { setWakeTime() }
    }
    /// When ``rates`` allow more to start than now, if anything waits.
    private var nextRateLook: Duration? {
        didSet { if nextRateLook != oldValue { setWakeTime() } }
    }
    /// When to call ``wake(now:)`` if nothing changes before. Stored, because it is read after each change of a queue.
    private(set) var wakeTime: Duration?

    /// The maximum delay until room released elsewhere in the process is noticed.
    private static var capInterval: Duration { .seconds(1) }

    init(
        cap: RequestCap, hostOf: @escaping @Sendable (Element) -> String?,
        groupOf: @escaping @Sendable (Element) -> UInt32
    ) {
        scheduler = RequestScheduler(hostOf: hostOf, groupOf: groupOf)
        duplicates = DuplicateIndex(isActive: false)
        self.cap = cap
    }

    /// Whether the core looks for duplicates and needs the hash of each new element. Initially `false`.
    var looksForDuplicates: Bool {
        get { duplicates.isActive }
        set {
            guard newValue != duplicates.isActive else { return }
            duplicates = DuplicateIndex(isActive: newValue, of: newValue ? scheduler.elementsInOrder : [])
        }
    }

    /// Whether the core needs the size of each new element.
    var ordersBySize: Bool { scheduler.mode.ordersBySize }

    /// Changes the order of waiting elements. O(n log n) if it needs sizes and did not before, otherwise O(shelves).
    mutating func setMode(_ mode: QueueMode) {
        let needsSizes = mode.ordersBySize && !ordersBySize
        scheduler.mode = mode
        guard needsSizes else { return }
        for element in scheduler.elementsInOrder { setSize(of: element, to: element.knownSize) }
    }

    // MARK: Element lifecycle

    /// Adds an element and returns the elements that may equal it.
    ///
    /// - Parameters:
    ///   - isParked: whether the element must not start before it is unparked.
    ///   - hash: the element's hash; `nil` if it has not been computed.
    ///   - stage: the stage of a transfer.
    ///   - size: the element's size; `nil` if it has not been determined or is not known.
    mutating func add(
        _ element: Element, priority: RequestPriority, kind: RequestKind = .transfer, isParked: Bool = false,
        hash: UInt32? = nil, stage: Int = 0, size: Int64? = nil, now: Duration
    ) -> [Element] {
        element.queueEntry.addTime = now
        if isParked { element.queueEntry.asides = .waiting }
        element.queueEntry.ticket = scheduler.add(
            element, priority: priority, kind: kind, isParked: isParked, stage: stage,
            size: ordersBySize && kind == .transfer ? size ?? element.knownSize : nil)
        if kind == .helping { helperCount += 1 }
        return kind == .transfer ? duplicates.insert(element, hash: hash) : []
    }

    /// The number of elements other than helpers: users' requests and sizing requests.
    var requestCount: Int { scheduler.count - helperCount }

    /// Whether the element is in the queue, in any state.
    func contains(_ element: Element) -> Bool {
        element.queueEntry.ticket.map { scheduler.contains($0) } ?? false
    }

    /// Whether the element has a slot.
    func isRunning(_ element: Element) -> Bool {
        element.queueEntry.ticket.map { scheduler.isRunning($0) } ?? false
    }

    /// Removes an element and frees its slot, if it has one.
    mutating func remove(_ element: Element) {
        guard let ticket = element.queueEntry.ticket, scheduler.contains(ticket) else { return }
        if element.queueEntry.asides.contains(.paused) { pausedCount -= 1 }
        element.queueEntry.asides = []
        if scheduler.places[Int(ticket.index)].kind == .helping { helperCount -= 1 }
        if scheduler.isRunning(ticket) { cap.end() }
        forgetStart(of: element)
        if scheduler.finish(ticket) == nil { _ = scheduler.cancel(ticket) }
        duplicates.remove(element)
    }

    /// Parks an element until ``unpark(_:from:)``, and frees its slot, if it has one.
    mutating func park(_ element: Element, for reason: QueueEntry.Aside) {
        guard let ticket = element.queueEntry.ticket, scheduler.contains(ticket) else { return }
        if scheduler.isRunning(ticket) { cap.end() }
        forgetStart(of: element)
        scheduler.park(ticket)
        if element.queueEntry.asides.insert(reason).inserted, reason == .paused { pausedCount += 1 }
    }

    /// Removes a reason for parking an element; it may start when no reason is left.
    mutating func unpark(_ element: Element, from reason: QueueEntry.Aside) {
        guard let ticket = element.queueEntry.ticket, scheduler.contains(ticket),
            element.queueEntry.asides.remove(reason) != nil
        else { return }
        if reason == .paused { pausedCount -= 1 }
        if element.queueEntry.asides.isEmpty { scheduler.unpark(ticket) }
    }

    /// Whether an element is parked for the given reason.
    func isParked(_ element: Element, for reason: QueueEntry.Aside) -> Bool {
        contains(element) && element.queueEntry.asides.contains(reason)
    }

    mutating func setPriority(of element: Element, to priority: RequestPriority) {
        if let ticket = element.queueEntry.ticket { scheduler.setPriority(ticket, priority) }
    }

    /// Changes the size of an element, which moves it if it waits in an order by size. O(log n)
    mutating func setSize(of element: Element, to size: Int64?) {
        if let ticket = element.queueEntry.ticket { scheduler.setSize(ticket, size) }
    }

    mutating func moveToFront(_ element: Element) {
        if let ticket = element.queueEntry.ticket { scheduler.moveToFront(ticket) }
    }

    /// The elements that do not run: the waiting ones in the order in which they would start, then the parked ones.
    var waitingElements: [Element] {
        (scheduler.waitingIndices + scheduler.parkedIndices).map { scheduler.elements[$0] }
    }

    /// The parked elements.
    var parkedElements: [Element] { scheduler.parkedIndices.map { scheduler.elements[$0] } }

    // MARK: Hosts

    /// Keeps the waiting elements of a host from starting until `end`. Of several holds, the latest end applies.
    mutating func hold(_ host: String, until end: Duration) {
        guard holds[host].map({ $0 < end }) ?? true else { return }
        holds[host] = end
        scheduler.holdHost(host)
    }

    /// Whether a hold keeps the waiting elements of a host from starting.
    func isHeld(_ host: String) -> Bool { holds[host] != nil }

    /// Ends all holds.
    mutating func endAllHolds() {
        for host in holds.keys where !rates.isClosed(host) { scheduler.releaseHost(host) }
        holds = [:]
    }

    private mutating func endHolds(now: Duration) {
        for (host, end) in holds where end <= now {
            holds[host] = nil
            if !rates.isClosed(host) { scheduler.releaseHost(host) }
        }
    }

    // MARK: Slots

    /// Gives turns and slots to the elements that may begin or start, and calls `begin` and `start` with each.
    ///
    /// - Returns: whether elements run, and whether some wait that need no call from outside to start.
    mutating func giveSlots(
        now: Duration, begin: (Turn) -> Void, start: (Element) -> Void
    ) -> (isRunning: Bool, isWaiting: Bool) {
        if followsRates { takeTurns(now: now).forEach(begin) }
        var isRefused = false
        while scheduler.mayStartNext {
            isRefused = !cap.tryStart(isFirst: scheduler.runningCount == 0)
            guard !isRefused, let next = scheduler.startNext() else { break }
            reserveStart(for: next.element, now: now)
            start(next.element)
        }
        if followsRates || nextRateLook != nil {
            let isAwaited = scheduler.waitingCount > 0 || !turns.isEmpty
            nextRateLook = isAwaited ? rates.nextOpening : nil
        }
        if isRefused != (nextCapLook != nil) { nextCapLook = isRefused ? now + Self.capInterval : nil }
        return (scheduler.runningCount > 0, !scheduler.isSuspended && scheduler.count > pausedCount)
    }

    private mutating func setWakeTime() {
        let firstEnd = holds.values.min()
        wakeTime = [nextCapLook, nextRateLook, firstEnd].compactMap(\.self).min()
    }

    /// Ends the holds that have expired.
    mutating func wake(now: Duration) {
        nextCapLook = nil
        endHolds(now: now)
    }
}

extension QueueCore: Sendable where Element: Sendable {}

/// An element of a ``QueueCore``.
protocol QueueElement: AnyObject {
    associatedtype ID: Hashable & Sendable

    var id: ID { get }
    /// The core's data about the element. Protected by the queue's lock.
    var queueEntry: QueueEntry { get set }
    /// Equal for equal elements.
    var equivalenceHash: UInt32 { get }
    /// The size for an order by size; `nil` if it is unknown. May query the file system.
    var knownSize: Int64? { get }
}

/// The data that a queue stores in each of its elements, so that no look-up is needed. Protected by the queue's lock.
struct QueueEntry {
    /// The element's key in the scheduler.
    var ticket: SlotKey?
    /// Whether duplicate detection ignores the element. Set before it is added to the queue.
    var isExemptFromDuplicates = false
    /// When the element was added, on the queue's clock.
    var addTime = Duration.zero
    /// Which files stored by others do not concern the element (``StoredFiles/View``).
    var formerFiles: UInt32 = 0
    /// The number of the group whose limit covers the element; 0 if there is none.
    var group: UInt32 = 0
    /// Why the element is parked.
    var asides: Aside = []
    /// The start of an exchange that is reserved for the element.
    var reservation = RequestRates.Reservation.none
    /// The hash for finding duplicates, once computed.
    var equivalenceHash: UInt32?

    /// The reasons for parking an element, which then has no slot.
    struct Aside: OptionSet {
        let rawValue: UInt8

        /// The element waits for something outside the queue, such as the time of a retry.
        static let waiting = Aside(rawValue: 1)
        /// The element is paused.
        static let paused = Aside(rawValue: 2)
    }
}

/// Finds elements that may equal a new one: those with the same hash. O(1).
///
/// The caller checks for equality outside the queue's lock, because it may have to compare whole bodies. Hashing a
/// request takes time, so nothing is indexed while duplicates are allowed.
struct DuplicateIndex<Element: QueueElement> {
    let isActive: Bool
    /// The latest element for each hash.
    private var latest: [UInt32: Element] = [:]
    /// Earlier elements with the same hash: they were added while duplicates were allowed, or differ in something that
    /// is not hashed.
    private var earlier: [UInt32: [Element.ID: Element]] = [:]

    /// Creates an index of the elements in the queue.
    init(isActive: Bool, of elements: [Element] = []) {
        self.isActive = isActive
        guard isActive else { return }
        for element in elements { _ = insert(element, hash: nil) }
    }

    /// Adds an element and returns the elements that may equal it.
    ///
    /// - Parameter hash: the element's hash; `nil` if it has not been computed.
    mutating func insert(_ element: Element, hash: UInt32?) -> [Element] {
        guard isActive, !element.queueEntry.isExemptFromDuplicates else { return [] }
        let hash = hash ?? element.equivalenceHash
        element.queueEntry.equivalenceHash = hash
        guard let former = latest.updateValue(element, forKey: hash) else { return [] }
        earlier[hash, default: [:]][former.id] = former
        return earlier[hash].map { Array($0.values) } ?? []
    }

    /// Removes an element, if it is in the index.
    mutating func remove(_ element: Element) {
        guard isActive, let hash = element.queueEntry.equivalenceHash else { return }
        if latest[hash] === element {
            latest[hash] = earlier[hash]?.popFirst()?.value
        } else {
            earlier[hash]?[element.id] = nil
        }
        if earlier[hash]?.isEmpty == true { earlier[hash] = nil }
    }
}

extension DuplicateIndex: Sendable where Element: Sendable {}
