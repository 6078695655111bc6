/// A collection that gives each value a small key, and recognizes the keys of removed values.
///
/// Values are stored in one array. A freed slot is reused under a new generation, so a stale key finds nothing, never
/// another value. (A slot would have to be reused 2³² times for a stale key to match again.)
///
/// Every operation on one value is O(1); `insert(_:)` is amortized O(1). The overhead per value is eight bytes. The
/// array never shrinks, except that a large one is released when the last value is removed.
struct SlotMap<Value> {
    typealias Key = SlotKey

    fileprivate struct Slot {
        var value: Value?
        var generation: UInt32
        var nextFree: SlotLink
    }

    private static var keptCapacity: Int { 1024 }

    private var slots: ContiguousArray<Slot> = []
    private var firstFree = SlotLink.none
    /// Exceeds the generation of every key issued before the array was last released.
    private var firstGeneration: UInt32 = 0
    private var highestGeneration: UInt32 = 0

    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    // MARK: Keys

    func contains(_ key: Key) -> Bool {
        let index = Int(key.index)
        return index < slots.count && slots[index].generation == key.generation && slots[index].value != nil
    }

    /// The value for a key, or `nil` if it was removed.
    subscript(key: Key) -> Value? { contains(key) ? slots[Int(key.index)].value : nil }

    mutating func insert(_ value: Value) -> Key {
        count += 1
        guard let index = firstFree.index else {
            let key = Key(index: UInt32(slots.count), generation: firstGeneration)
            slots.append(Slot(value: value, generation: firstGeneration, nextFree: .none))
            return key
        }
        firstFree = slots[Int(index)].nextFree
        slots[Int(index)].value = value
        return Key(index: index, generation: slots[Int(index)].generation)
    }

    /// Removes a value, or returns `nil` if it was already removed.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard contains(key) else { return nil }
        let value = slots[Int(key.index)].value.take()
        retire(key.index)
        return value
    }

    /// Removes every value and releases the memory. All keys become stale. O(`count`)
    mutating func removeAll() {
        slots = []
        firstFree = .none
        count = 0
        highestGeneration &+= 1
        firstGeneration = highestGeneration
    }

    // MARK: Indices

    /// The value in an occupied slot. The index of a free slot traps.
    // Unwrapped by force: callers keep indices of live values only, which saves comparing generations.
    // swift-format-ignore: NeverForceUnwrap
    subscript(index: UInt32) -> Value {
        get { slots[Int(index)].value! }
        set { slots[Int(index)].value! = newValue }
    }

    /// The current key of a slot.
    func key(at index: UInt32) -> Key {
        Key(index: index, generation: slots[Int(index)].generation)
    }

    /// An upper bound for the indices of all values.
    var slotCount: Int { slots.count }

    // MARK: Private

    private mutating func retire(_ index: UInt32) {
        count -= 1
        slots[Int(index)].generation &+= 1
        highestGeneration = max(highestGeneration, slots[Int(index)].generation)
        slots[Int(index)].nextFree = firstFree
        firstFree = SlotLink(index)
        if count == 0, slots.count > Self.keptCapacity { removeAll() }
    }
}

extension SlotMap.Slot: Sendable where Value: Sendable {}
extension SlotMap: Sendable where Value: Sendable {}

/// The key of a value in a ``SlotMap``.
struct SlotKey: Hashable, Sendable {
    let index: UInt32
    let generation: UInt32
}
