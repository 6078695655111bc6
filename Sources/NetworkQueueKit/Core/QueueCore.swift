/// Who runs next, first in first out or last in first out: the core that both queues contain.
///
/// A value without lock, clock or callback. Its functions change what waits and runs; what follows from a change is
/// asked for after it, with ``effects(now:)``.
struct QueueCore<Element: QueueElement> {
    /// What is to be done outside of the lock.
    enum Effect {
        /// The element has got a slot.
        case start(Element)
        /// The element runs, and keeps others from running that come before it.
        case cancel(Element)
    }

    var scheduler: RequestScheduler<Element>
    private var duplicates: DuplicateIndex<Element>
    /// The hosts whose waiting elements are held back, and until when.
    private var holds: [String: Duration] = [:]
    private let cap: RequestCap
    /// How many elements are paused.
    private(set) var pausedCount = 0
    /// How many elements are the library's own, and help others.
    private var helperCount = 0
    /// When to look again whether the process has room for another request.
    private var nextCapLook: Duration?

    /// How long it takes at most until room that others in the process have left is seen.
    private static var capInterval: Duration { .seconds(1) }

    init(cap: RequestCap, hostOf: @escaping @Sendable (Element) -> String?) {
        scheduler = RequestScheduler(hostOf: hostOf)
        duplicates = DuplicateIndex(isActive: false)
        self.cap = cap
    }

    /// Whether equal elements are looked for, so that the hash of a new one is needed. To begin with `false`.
    var looksForDuplicates: Bool {
        get { duplicates.isActive }
        set {
            guard newValue != duplicates.isActive else { return }
            duplicates = DuplicateIndex(isActive: newValue, of: newValue ? scheduler.elementsInOrder : [])
        }
    }

    // MARK: The life of an element

    /// Adds an element and returns those that may equal it.
    ///
    /// - Parameters:
    ///   - isParked: whether it may not start before it is unparked.
    ///   - hash: `nil` where it has not been worked out.
    mutating func add(
        _ element: Element, priority: RequestPriority, stage: RequestStage = .transfer, isParked: Bool = false,
        hash: UInt32? = nil, now: Duration
    ) -> [Element] {
        element.queueEntry.addTime = now
        if isParked { element.queueEntry.asides = .waiting }
        element.queueEntry.ticket = scheduler.add(element, priority: priority, stage: stage, isParked: isParked)
        if stage == .helping { helperCount += 1 }
        return stage == .transfer ? duplicates.insert(element, hash: hash) : []
    }

    /// How many elements are requests of the user's, or questions for their sizes.
    var requestCount: Int { scheduler.count - helperCount }

    /// Whether the element is here, in whatever state.
    func contains(_ element: Element) -> Bool {
        element.queueEntry.ticket.map { scheduler.contains($0) } ?? false
    }

    /// Whether the element has a slot.
    func isRunning(_ element: Element) -> Bool {
        element.queueEntry.ticket.map { scheduler.isRunning($0) } ?? false
    }

    /// Takes an element out, which frees its slot, if it has one.
    mutating func remove(_ element: Element) {
        guard let ticket = element.queueEntry.ticket, scheduler.contains(ticket) else { return }
        if element.queueEntry.asides.contains(.paused) { pausedCount -= 1 }
        element.queueEntry.asides = []
        if scheduler.places[Int(ticket.index)].stage == .helping { helperCount -= 1 }
        if scheduler.isRunning(ticket) { cap.end() }
        if scheduler.finish(ticket) == nil { _ = scheduler.cancel(ticket) }
        duplicates.remove(element)
    }

    /// Sets an element aside until ``unpark(_:from:)``: it gives its slot back, if it has one.
    mutating func park(_ element: Element, for reason: QueueEntry.Aside) {
        guard let ticket = element.queueEntry.ticket, scheduler.contains(ticket) else { return }
        if scheduler.isRunning(ticket) { cap.end() }
        scheduler.park(ticket)
        if element.queueEntry.asides.insert(reason).inserted, reason == .paused { pausedCount += 1 }
    }

    /// Lets an element start that was set aside, or was added so, unless there is another reason not to.
    mutating func unpark(_ element: Element, from reason: QueueEntry.Aside) {
        guard let ticket = element.queueEntry.ticket, scheduler.contains(ticket),
            element.queueEntry.asides.remove(reason) != nil
        else { return }
        if reason == .paused { pausedCount -= 1 }
        if element.queueEntry.asides.isEmpty { scheduler.unpark(ticket) }
    }

    /// Whether an element is set aside for that reason.
    func isParked(_ element: Element, for reason: QueueEntry.Aside) -> Bool {
        contains(element) && element.queueEntry.asides.contains(reason)
    }

    mutating func setPriority(of element: Element, to priority: RequestPriority) {
        if let ticket = element.queueEntry.ticket { scheduler.setPriority(ticket, priority) }
    }

    mutating func moveToFront(_ element: Element) {
        if let ticket = element.queueEntry.ticket { scheduler.moveToFront(ticket) }
    }

    /// The elements that do not run: the waiting ones in the order in which they would start, then those that are set
    /// aside.
    var waitingElements: [Element] {
        (scheduler.waitingIndices + scheduler.parkedIndices).map { scheduler.elements[$0] }
    }

    /// The elements that are set aside.
    var parkedElements: [Element] { scheduler.parkedIndices.map { scheduler.elements[$0] } }

    // MARK: Hosts

    /// Keeps the waiting elements of a host from starting until `end`. The latest end counts.
    mutating func hold(_ host: String, until end: Duration) {
        guard holds[host].map({ $0 < end }) ?? true else { return }
        holds[host] = end
        scheduler.holdHost(host)
    }

    /// Forgets all holds.
    mutating func endAllHolds() {
        for host in holds.keys { scheduler.releaseHost(host) }
        holds = [:]
    }

    private mutating func endHolds(now: Duration) {
        for (host, end) in holds where end <= now {
            holds[host] = nil
            scheduler.releaseHost(host)
        }
    }

    // MARK: Effects

    /// Gives slots to those that may start, and returns what follows from all changes so far.
    mutating func effects(now: Duration) -> [Effect] {
        var effects: [Effect] = []
        var isRefused = false
        while scheduler.mayStartNext {
            isRefused = !cap.tryStart(isFirst: scheduler.runningCount == 0)
            guard !isRefused, let next = scheduler.startNext() else { break }
            effects.append(.start(next.element))
        }
        nextCapLook = isRefused ? nextCapLook ?? now + Self.capInterval : nil
        // Sizing is to delay no transfer: not by a place at a host, either.
        while let element = scheduler.nextObstructingSizing() { effects.append(.cancel(element)) }
        return effects
    }

    /// When ``wake(now:)`` is to be called, if nothing changes before.
    var wakeTime: Duration? {
        guard let firstEnd = holds.values.min() else { return nextCapLook }
        return nextCapLook.map { min($0, firstEnd) } ?? firstEnd
    }

    /// Ends what has come to its end by the clock.
    mutating func wake(now: Duration) {
        nextCapLook = nil
        endHolds(now: now)
    }
}

extension QueueCore: Sendable where Element: Sendable {}
extension QueueCore.Effect: Sendable where Element: Sendable {}

/// What stands in a ``QueueCore``.
protocol QueueElement: AnyObject {
    associatedtype ID: Hashable & Sendable

    var id: ID { get }
    /// What the core keeps about the element. Belongs to the lock of its queue.
    var queueEntry: QueueEntry { get set }
    /// Equal for elements that may be equal.
    var equivalenceHash: UInt32 { get }
}

/// What a queue keeps about one of its elements in the element itself, so that nothing has to be looked up. Belongs to
/// the queue's lock.
struct QueueEntry {
    /// Where the element stands in the scheduler.
    var ticket: SlotKey?
    /// Whether the search for duplicates leaves it out, as a new request and as an earlier one. Set before it is in the
    /// queue.
    var isExemptFromDuplicates = false
    /// When the element was added, by the queue's clock.
    var addTime = Duration.zero
    /// Why it is set aside.
    var asides: Aside = []
    /// What duplicates are looked for with, once it has been worked out.
    var equivalenceHash: UInt32?

    /// What keeps an element aside that takes no slot meanwhile.
    struct Aside: OptionSet {
        let rawValue: UInt8

        /// It waits for something that is not the queue's business, such as the time of a retry.
        static let waiting = Aside(rawValue: 1)
        /// It is paused.
        static let paused = Aside(rawValue: 2)
    }
}

/// Finds the elements of a queue that may equal a new one: those with the same hash. O(1).
///
/// Whether they are equal is for the caller to find out, outside the queue's lock: it may have to compare whole
/// contents. Hashing a request takes a moment, so nothing is kept while duplicates are allowed.
struct DuplicateIndex<Element: QueueElement> {
    let isActive: Bool
    /// The latest element of each hash.
    private var latest: [UInt32: Element] = [:]
    /// Those that were there before it: they came in while duplicates were allowed, or differ where the hash does not
    /// look.
    private var earlier: [UInt32: [Element.ID: Element]] = [:]

    /// Creates an index of what is in the queue.
    init(isActive: Bool, of elements: [Element] = []) {
        self.isActive = isActive
        guard isActive else { return }
        for element in elements { _ = insert(element, hash: nil) }
    }

    /// Notes an element and returns those that may equal it.
    ///
    /// - Parameter hash: `nil` where it has not been worked out yet.
    mutating func insert(_ element: Element, hash: UInt32?) -> [Element] {
        guard isActive, !element.queueEntry.isExemptFromDuplicates else { return [] }
        let hash = hash ?? element.equivalenceHash
        element.queueEntry.equivalenceHash = hash
        guard let former = latest.updateValue(element, forKey: hash) else { return [] }
        earlier[hash, default: [:]][former.id] = former
        return earlier[hash].map { Array($0.values) } ?? []
    }

    /// Forgets an element. One that is not in the index is ignored.
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
