/// A collection that gives each value a small key, and knows a key whose value has gone.
///
/// Values sit in one array. A slot that falls free is used again under a new generation, so a stale key finds
/// nothing, never another value. (A slot would have to be reused 2³² times for a stale key to match again.)
///
/// Every operation on one value is O(1), `insert(_:)` amortised. The cost per value is eight bytes.
/// The array never shrinks, except that a large one is given back when the last value leaves.
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
    /// No key given out so far has a generation as high as this, once the array has been thrown away.
    private var firstGeneration: UInt32 = 0
    private var highestGeneration: UInt32 = 0

    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    // MARK: Keys

    func contains(_ key: Key) -> Bool {
        let index = Int(key.index)
        return index < slots.count && slots[index].generation == key.generation && slots[index].value != nil
    }

    /// The value of a key, or `nil` when it has gone.
    ///
    /// Assigning `nil` removes the value. Assigning through a stale key does nothing.
    subscript(key: Key) -> Value? {
        get {
            contains(key) ? slots[Int(key.index)].value : nil
        }
        set {
            guard contains(key) else { return }
            slots[Int(key.index)].value = newValue
            if newValue == nil { retire(key.index) }
        }
    }

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

    /// Takes a value out, or returns `nil` when it has gone already.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard contains(key) else { return nil }
        let value = slots[Int(key.index)].value.take()
        retire(key.index)
        return value
    }

    /// Removes every value and gives the memory back. All keys are stale afterwards. O(`count`)
    mutating func removeAll() {
        slots = []
        firstFree = .none
        count = 0
        highestGeneration &+= 1
        firstGeneration = highestGeneration
    }

    // MARK: Indices

    /// The value of a slot that is known to be taken. An index of a free slot traps.
    // The unwraps: callers keep indices of live values only, and are spared a comparison of generations.
    // swift-format-ignore: NeverForceUnwrap
    subscript(index: UInt32) -> Value {
        get { slots[Int(index)].value! }
        set { slots[Int(index)].value! = newValue }
    }

    /// The current key of a slot.
    func key(at index: UInt32) -> Key {
        Key(index: index, generation: slots[Int(index)].generation)
    }

    /// The indices of all values lie below it.
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

/// Stands for one value of one ``SlotMap``.
struct SlotKey: Hashable, Sendable {
    let index: UInt32
    let generation: UInt32
}
