/// The limits on how many exchanges start in a time, in all and to each host, and what they allow now.
///
/// Whoever gets a slot reserves the start of an exchange. The reservation becomes a start when the exchange starts, and
/// is released if none does. So a slot is given only to a request that may start at once, and the time of a start is
/// that of the exchange. Every operation is amortized O(1), or O(log hosts) if it closes a host.
struct RequestRates: Sendable {
    /// A start that is reserved.
    enum Reservation: Sendable {
        case none
        /// The start counts for the limit of all exchanges only: the host has no window.
        case total
        case host(SlotKey)
    }

    private struct Host: Sendable {
        let name: String
        var window = RateWindow()
        var isClosed = false
    }

    /// The limit for all exchanges.
    private(set) var rate: RequestRate?
    /// The limit for the exchanges with each host.
    private(set) var ratePerHost: RequestRate?
    private var total = RateWindow()
    private var hosts = SlotMap<Host>()
    private var keys: [String: SlotKey] = [:]
    /// The closed hosts by the time at which they open.
    private var openings = IndexedHeap<Duration>()
    private var openingTimes: ContiguousArray<Duration> = []
    private var positions: IndexedHeap<Duration>.Positions = []
    /// The hosts that have been closed or opened since the latest ``takeChanges()``.
    private var changes: [(host: String, isClosed: Bool)] = []
    private var hostCountAfterSweep = 0

    /// Whether there is any limit.
    var isInUse: Bool { rate?.limit != nil || ratePerHost?.limit != nil }

    /// Whether another exchange may start, as far as the limit for all is concerned.
    var mayStart: Bool { rate?.limit.map { total.mayStart($0) } ?? true }

    /// When the limits next allow more starts than now; `nil` if they do not depend on the time.
    var nextOpening: Duration? {
        let hostOpening = openings.first.map { openingTimes[Int($0)] }
        guard !mayStart, let opening = rate?.limit.flatMap({ total.opening($0) }) else { return hostOpening }
        return min(opening, hostOpening ?? opening)
    }

    /// Changes the limits. Earlier starts count as far as they are remembered. O(hosts)
    mutating func set(_ rate: RequestRate?, perHost ratePerHost: RequestRate?) {
        self.rate = rate
        guard ratePerHost != self.ratePerHost else { return }
        self.ratePerHost = ratePerHost
        for key in allKeys { update(key) }
        if ratePerHost?.limit == nil { sweep() }
    }

    /// Opens what the limits allow at `now`.
    mutating func advance(to now: Duration) {
        if let limit = rate?.limit { total.forget(limit.span, before: now) }
        guard let limit = ratePerHost?.limit else { return }
        while let index = openings.first, openingTimes[Int(index)] <= now {
            hosts[index].window.forget(limit.span, before: now)
            openings.remove(index, &positions)
            update(hosts.key(at: index))
        }
        if hosts.count > 2 * max(hostCountAfterSweep, 64) { sweep(at: now) }
    }

    /// Removes and returns the hosts that have been closed or opened, in order.
    mutating func takeChanges() -> [(host: String, isClosed: Bool)] {
        if changes.isEmpty { return [] }
        defer { changes = [] }
        return changes
    }

    /// Whether the limit for each host keeps exchanges with a host from starting.
    func isClosed(_ host: String) -> Bool { keys[host].map { hosts[$0.index].isClosed } ?? false }

    // MARK: Starts

    mutating func reserve(for host: String?, now: Duration) -> Reservation {
        total.reserve()
        guard let key = window(of: host, now: now) else { return .total }
        hosts[key.index].window.reserve()
        update(key)
        return .host(key)
    }

    mutating func release(_ reservation: Reservation) {
        if case .none = reservation { return }
        total.release()
        guard case .host(let key) = reservation, hosts.contains(key) else { return }
        hosts[key.index].window.release()
        update(key)
    }

    /// Notes the start of an exchange, if the limits allow it; returns whether they do.
    mutating func start(_ host: String?, now: Duration) -> Bool {
        guard mayStart else { return false }
        let key = window(of: host, now: now)
        if let key, let limit = ratePerHost?.limit, !hosts[key.index].window.mayStart(limit) { return false }
        if rate?.limit != nil { total.noteStart(at: now) }
        guard let key else { return true }
        hosts[key.index].window.noteStart(at: now)
        update(key)
        return true
    }

    // MARK: Hosts

    private var allKeys: [SlotKey] { Array(keys.values) }

    /// The window of a host; `nil` if there is no limit for it.
    private mutating func window(of host: String?, now: Duration) -> SlotKey? {
        guard let host, let limit = ratePerHost?.limit else { return nil }
        if let key = keys[host] {
            hosts[key.index].window.forget(limit.span, before: now)
            return key
        }
        let key = hosts.insert(Host(name: host))
        keys[host] = key
        return key
    }

    /// Closes or opens a host after its window or the limit has changed.
    private mutating func update(_ key: SlotKey) {
        let limit = ratePerHost?.limit
        let isClosed = limit.map { !hosts[key.index].window.mayStart($0) } ?? false
        let opening = isClosed ? limit.flatMap { hosts[key.index].window.opening($0) } : nil
        if let opening {
            while openingTimes.count <= Int(key.index) { openingTimes.append(.zero) }
            openingTimes[Int(key.index)] = opening
            openings.set(key.index, rank: opening, &positions)
        } else {
            openings.remove(key.index, &positions)
        }
        guard isClosed != hosts[key.index].isClosed else { return }
        hosts[key.index].isClosed = isClosed
        changes.append((hosts[key.index].name, isClosed))
    }

    /// Forgets the hosts whose windows have no effect. O(hosts)
    private mutating func sweep(at now: Duration? = nil) {
        let limit = ratePerHost?.limit
        for key in allKeys {
            if let limit, let now { hosts[key.index].window.forget(limit.span, before: now) }
            let isReserved = hosts[key.index].window.reservedCount > 0
            guard limit == nil ? !isReserved : hosts[key.index].window.isEmpty else { continue }
            keys[hosts[key.index].name] = nil
            hosts.remove(key)
        }
        hostCountAfterSweep = hosts.count
    }
}
