/// Who runs next, first in first out or last in first out: the core that both queues contain.
///
/// A value without lock, clock or callback. Its functions change what waits and runs; what follows from a change is asked for after it, with
/// ``effects(now:)``.
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
        element.queueEntry.ticket = scheduler.add(element, priority: priority, stage: stage, isParked: isParked)
        return stage == .transfer ? duplicates.insert(element, hash: hash) : []
    }

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
        guard let ticket = element.queueEntry.ticket else { return }
        if scheduler.isRunning(ticket) { cap.end() }
        if scheduler.finish(ticket) == nil { _ = scheduler.cancel(ticket) }
        duplicates.remove(element)
    }

    /// Sets a running element aside until ``unpark(_:)``: it gives its slot back.
    mutating func park(_ element: Element) {
        guard let ticket = element.queueEntry.ticket, scheduler.isRunning(ticket) else { return }
        cap.end()
        scheduler.park(ticket)
    }

    /// Lets an element start that was set aside, or was added so.
    mutating func unpark(_ element: Element) {
        if let ticket = element.queueEntry.ticket { scheduler.unpark(ticket) }
    }

    mutating func setPriority(of element: Element, to priority: RequestPriority) {
        if let ticket = element.queueEntry.ticket { scheduler.setPriority(ticket, priority) }
    }

    /// The elements that do not run: the waiting ones in the order in which they would start, then those that are set aside.
    var waitingElements: [Element] {
        (scheduler.waitingIndices + scheduler.parkedIndices).map { scheduler.elements[$0] }
    }

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
