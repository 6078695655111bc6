/// What limits of a kind apply to, hosts or groups, and whether another request of one of them may start.
///
/// A host or a group, here an *owner*, is known while it has a shelf, a limit of its own or a block, and is forgotten
/// afterwards, so the table of a long-lived queue does not grow. Names are compared literally. Every operation is O(1).
struct LimitTable<Name: Hashable & Sendable>: Sendable {
    /// Identifies an owner while it is known.
    struct ID: Equatable, Sendable {
        /// For requests without an owner, or whose owner was not determined because no rule needed it. Never restricted.
        static var none: ID { ID(rawValue: 0) }

        let rawValue: UInt32

        init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        fileprivate init(slot: UInt32) {
            rawValue = slot + 1
        }

        fileprivate var slot: UInt32 { rawValue - 1 }
    }

    private struct Owner: Sendable {
        let name: Name
        var shelves: Set<ShelfTable.ID> = []
        var running = 0
        var isBlocked = false
        /// The maximum number of running requests of this owner; `nil` if it has none of its own.
        var limit: Int?
    }

    private var owners = SlotMap<Owner>()
    private var ids: [Name: ID] = [:]
    private var blockedCount = 0
    /// The number of owners with a limit of their own.
    private var limitedCount = 0

    /// The maximum number of running requests of each owner; `nil` and values below 1 mean no limit.
    var maximumRunning: Int?

    var count: Int { owners.count }

    /// Whether any rule depends on the owner of a request.
    var isRuleInForce: Bool {
        blockedCount > 0 || limitedCount > 0 || limit != nil
    }

    func mayStart(_ id: ID) -> Bool {
        guard id != .none else { return true }
        if owners[id.slot].isBlocked { return false }
        guard let limit = owners[id.slot].limit ?? limit else { return true }
        return owners[id.slot].running < limit
    }

    func isBlocked(_ id: ID) -> Bool {
        id != .none && owners[id.slot].isBlocked
    }

    func name(of id: ID) -> Name? {
        id == .none ? nil : owners[id.slot].name
    }

    // MARK: Shelves

    /// The ID of an owner, which the caller gives a shelf if it was not known.
    mutating func enter(_ name: Name) -> ID { known(name) }

    /// The shelves that the owner closes when another of its requests may not start.
    func shelves(of id: ID) -> Set<ShelfTable.ID> {
        id == .none ? [] : owners[id.slot].shelves
    }

    mutating func add(_ shelf: ShelfTable.ID, to id: ID) {
        if id != .none { owners[id.slot].shelves.insert(shelf) }
    }

    /// Removes a shelf, which has no running requests.
    mutating func remove(_ shelf: ShelfTable.ID, from id: ID) {
        guard id != .none else { return }
        owners[id.slot].shelves.remove(shelf)
        forgetIfUnused(id)
    }

    // MARK: Requests

    /// Counts a request as running. Returns whether the owner has reached its limit by this.
    mutating func start(_ id: ID) -> Bool {
        guard id != .none else { return false }
        let before = mayStart(id)
        owners[id.slot].running += 1
        return before != mayStart(id)
    }

    /// Counts a request as no longer running. Returns whether this allows another to start.
    mutating func stop(_ id: ID) -> Bool {
        guard id != .none else { return false }
        let before = mayStart(id)
        owners[id.slot].running -= 1
        return before != mayStart(id)
    }

    // MARK: Limits and blocks

    /// Sets the limit of an owner, known or not; `nil` and values below 1 mean that it has none of its own. Returns
    /// `nil` if the owner has no requests.
    mutating func setMaximumRunning(_ maximum: Int?, of name: Name) -> ID? {
        let limit = maximum.flatMap { $0 > 0 ? $0 : nil }
        guard let id = limit == nil ? ids[name] : known(name) else { return nil }
        limitedCount += (limit == nil ? 0 : 1) - (owners[id.slot].limit == nil ? 0 : 1)
        owners[id.slot].limit = limit
        return forgetIfUnused(id) || owners[id.slot].shelves.isEmpty ? nil : id
    }

    /// Blocks an owner, known or not. Returns `nil` if it was already blocked.
    mutating func block(_ name: Name) -> ID? {
        let id = known(name)
        guard !owners[id.slot].isBlocked else { return nil }
        owners[id.slot].isBlocked = true
        blockedCount += 1
        return id
    }

    /// Unblocks an owner. Returns `nil` if it was not blocked or has no requests.
    mutating func unblock(_ name: Name) -> ID? {
        guard let id = ids[name], owners[id.slot].isBlocked else { return nil }
        owners[id.slot].isBlocked = false
        blockedCount -= 1
        return forgetIfUnused(id) ? nil : id
    }

    // MARK: Size

    /// Releases the storage of many former owners once the table is empty.
    mutating func releaseRoom() {
        guard owners.isEmpty, owners.slotCount > 64 else { return }
        owners.removeAll()
        ids = [:]
    }

    // MARK: Private

    private var limit: Int? {
        maximumRunning.flatMap { $0 > 0 ? $0 : nil }
    }

    private mutating func known(_ name: Name) -> ID {
        if let id = ids[name] { return id }
        let id = ID(slot: owners.insert(Owner(name: name)).index)
        ids[name] = id
        return id
    }

    @discardableResult
    private mutating func forgetIfUnused(_ id: ID) -> Bool {
        guard owners[id.slot].shelves.isEmpty, !owners[id.slot].isBlocked, owners[id.slot].limit == nil else {
            return false
        }
        ids[owners[id.slot].name] = nil
        owners.remove(owners.key(at: id.slot))
        return true
    }
}
