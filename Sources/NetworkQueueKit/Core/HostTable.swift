/// The hosts with requests or blocks, and whether another request to one of them may start.
///
/// A host is known while it has a shelf or is blocked, and is forgotten afterwards, so the table of a long-lived queue
/// does not grow. Names are compared literally. Every operation is O(1).
struct HostTable: Sendable {
    /// Identifies a host while it is known.
    struct ID: Equatable, Sendable {
        /// For requests without a host, or whose host was not determined because no rule needed it. Never restricted.
        static let none = ID(rawValue: 0)

        let rawValue: UInt32

        init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        fileprivate init(slot: UInt32) {
            rawValue = slot + 1
        }

        fileprivate var slot: UInt32 { rawValue - 1 }
    }

    private struct Host: Sendable {
        let name: String
        var shelves: Set<ShelfTable.ID> = []
        var running = 0
        var isBlocked = false
    }

    private var hosts = SlotMap<Host>()
    private var ids: [String: ID] = [:]
    private var blockedCount = 0

    /// The maximum number of running requests per host; `nil` and values below 1 mean no limit.
    var maximumRunning: Int?

    var count: Int { hosts.count }

    /// Whether any rule depends on the host of a request.
    var isRuleInForce: Bool {
        blockedCount > 0 || limit != nil
    }

    func mayStart(_ id: ID) -> Bool {
        guard id != .none else { return true }
        if hosts[id.slot].isBlocked { return false }
        guard let limit else { return true }
        return hosts[id.slot].running < limit
    }

    func isBlocked(_ id: ID) -> Bool {
        id != .none && hosts[id.slot].isBlocked
    }

    func name(of id: ID) -> String? {
        id == .none ? nil : hosts[id.slot].name
    }

    // MARK: Shelves

    /// The ID of a host, which the caller gives a shelf if it was not known.
    mutating func enter(_ name: String) -> ID { known(name) }

    /// The shelves that the host closes when another request to it may not start.
    func shelves(of id: ID) -> Set<ShelfTable.ID> {
        id == .none ? [] : hosts[id.slot].shelves
    }

    mutating func add(_ shelf: ShelfTable.ID, to id: ID) {
        if id != .none { hosts[id.slot].shelves.insert(shelf) }
    }

    /// Removes a shelf, which has no running requests.
    mutating func remove(_ shelf: ShelfTable.ID, from id: ID) {
        guard id != .none else { return }
        hosts[id.slot].shelves.remove(shelf)
        forgetIfUnused(id)
    }

    // MARK: Requests

    /// Counts a request as running. Returns whether the host has reached its limit by this.
    mutating func start(_ id: ID) -> Bool {
        guard id != .none else { return false }
        let before = mayStart(id)
        hosts[id.slot].running += 1
        return before != mayStart(id)
    }

    /// Counts a request as no longer running. Returns whether this allows another to start.
    mutating func stop(_ id: ID) -> Bool {
        guard id != .none else { return false }
        let before = mayStart(id)
        hosts[id.slot].running -= 1
        return before != mayStart(id)
    }

    // MARK: Blocking

    /// Blocks a host, known or not. Returns `nil` if it was already blocked.
    mutating func block(_ name: String) -> ID? {
        let id = known(name)
        guard !hosts[id.slot].isBlocked else { return nil }
        hosts[id.slot].isBlocked = true
        blockedCount += 1
        return id
    }

    /// Unblocks a host. Returns `nil` if it was not blocked or has no requests.
    mutating func unblock(_ name: String) -> ID? {
        guard let id = ids[name], hosts[id.slot].isBlocked else { return nil }
        hosts[id.slot].isBlocked = false
        blockedCount -= 1
        return forgetIfUnused(id) ? nil : id
    }

    // MARK: Size

    /// Releases the storage of many former hosts once the table is empty.
    mutating func releaseRoom() {
        guard hosts.isEmpty, hosts.slotCount > 64 else { return }
        hosts.removeAll()
        ids = [:]
    }

    // MARK: Private

    private var limit: Int? {
        maximumRunning.flatMap { $0 > 0 ? $0 : nil }
    }

    private mutating func known(_ name: String) -> ID {
        if let id = ids[name] { return id }
        let id = ID(slot: hosts.insert(Host(name: name)).index)
        ids[name] = id
        return id
    }

    @discardableResult
    private mutating func forgetIfUnused(_ id: ID) -> Bool {
        guard hosts[id.slot].shelves.isEmpty, !hosts[id.slot].isBlocked else { return false }
        ids[hosts[id.slot].name] = nil
        hosts.remove(hosts.key(at: id.slot))
        return true
    }
}
