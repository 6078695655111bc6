/// The hosts that matter at present, and whether another request to one of them may start.
///
/// A host is known while a request is filed under it or while it is blocked, and forgotten after that, so a queue that
/// lives long and sees many hosts does not grow. Names are compared as they are. Every operation is O(1).
struct HostTable: Sendable {
    /// Stands for a host as long as it is known.
    struct ID: Equatable, Sendable {
        /// Of requests that have no host, or were not asked for it because no rule needed it. Never restricted.
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
        var requests = 0
        var running = 0
        var isBlocked = false
    }

    private var hosts = SlotMap<Host>()
    private var ids: [String: ID] = [:]
    private var blockedCount = 0

    /// How many requests to one host may run; `nil` and values below 1 mean no limit.
    var maximumRunning: Int?

    var count: Int { hosts.count }

    /// Whether it matters at all what host a request goes to.
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

    // MARK: Requests

    /// Files a request under a host.
    mutating func enter(_ name: String) -> ID {
        let id = known(name)
        hosts[id.slot].requests += 1
        return id
    }

    /// A request of this host has gone, or is no longer filed under it. It must not count as running.
    mutating func leave(_ id: ID) {
        guard id != .none else { return }
        hosts[id.slot].requests -= 1
        forgetIfUnused(id)
    }

    /// A request starts. Returns whether this decides that no other may.
    mutating func start(_ id: ID) -> Bool {
        guard id != .none else { return false }
        let before = mayStart(id)
        hosts[id.slot].running += 1
        return before != mayStart(id)
    }

    /// A request no longer runs. Returns whether this decides that another may.
    mutating func stop(_ id: ID) -> Bool {
        guard id != .none else { return false }
        let before = mayStart(id)
        hosts[id.slot].running -= 1
        return before != mayStart(id)
    }

    // MARK: Blocking

    /// Lets nothing start at a host, known or not. Returns `nil` when that was so already.
    mutating func block(_ name: String) -> ID? {
        let id = known(name)
        guard !hosts[id.slot].isBlocked else { return nil }
        hosts[id.slot].isBlocked = true
        blockedCount += 1
        return id
    }

    /// Lets a host start again. Returns `nil` when it was not blocked, or nothing is left that waits for it.
    mutating func unblock(_ name: String) -> ID? {
        guard let id = ids[name], hosts[id.slot].isBlocked else { return nil }
        hosts[id.slot].isBlocked = false
        blockedCount -= 1
        return forgetIfUnused(id) ? nil : id
    }

    // MARK: Size

    /// Whether so many hosts of the past left room behind that it should be given back.
    var hasRoomForMany: Bool { hosts.isEmpty && hosts.slotCount > 64 }

    /// Gives back the room of hosts, of which none is known any more. New ones get the smallest IDs again.
    mutating func removeRoom() {
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
        guard hosts[id.slot].requests == 0, !hosts[id.slot].isBlocked else { return false }
        ids[hosts[id.slot].name] = nil
        hosts.remove(hosts.key(at: id.slot))
        return true
    }
}
