/// A `SlotMap` whose slots are linked into lanes, so that adding a value to a lane, or removing one from its middle, is
/// O(1) and needs no allocation.
///
/// A value is in at most one lane. The caller owns the lanes, and must use each with the same `LinkedSlots` only.
struct LinkedSlots<Value> {
    typealias Key = SlotMap<Value>.Key

    private struct Links: Sendable {
        var previous = SlotLink.none
        var next = SlotLink.none
    }

    private var values = SlotMap<Value>()
    /// The links of each slot of `values`, stored separately because walking along a lane reads no values.
    private var links: ContiguousArray<Links> = []

    var count: Int { values.count }

    /// An upper bound for the indices of all values.
    var slotCount: Int { values.slotCount }

    // MARK: Values

    /// Adds a value that is not yet in a lane.
    mutating func insert(_ value: Value) -> Key {
        let key = values.insert(value)
        if links.count == Int(key.index) { links.append(Links()) }
        return key
    }

    /// Removes a value that is no longer in a lane.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        let value = values.remove(key)
        if values.slotCount == 0 { links = [] }
        return value
    }

    /// The index of the value for a key, or `nil` if it was removed.
    func index(of key: Key) -> UInt32? {
        values.contains(key) ? key.index : nil
    }

    func key(at index: UInt32) -> Key {
        values.key(at: index)
    }

    subscript(index: UInt32) -> Value {
        get { values[index] }
        set { values[index] = newValue }
    }

    // MARK: Lanes

    /// Appends a value that is in no lane to a lane.
    mutating func append(_ index: UInt32, to lane: inout Lane) {
        links[Int(index)] = Links(previous: lane.last)
        if let last = lane.last.index {
            links[Int(last)].next = SlotLink(index)
        } else {
            lane.first = SlotLink(index)
        }
        lane.last = SlotLink(index)
    }

    /// Removes a value from its lane.
    mutating func unlink(_ index: UInt32, from lane: inout Lane) {
        let own = links[Int(index)]
        if let previous = own.previous.index { links[Int(previous)].next = own.next } else { lane.first = own.next }
        if let next = own.next.index { links[Int(next)].previous = own.previous } else { lane.last = own.previous }
    }

    func index(after index: UInt32) -> UInt32? {
        links[Int(index)].next.index
    }

    func index(before index: UInt32) -> UInt32? {
        links[Int(index)].previous.index
    }

    /// Calls `body` with the index of each value in a lane, first to last. `body` must not change the lane.
    func forEach(in lane: Lane, _ body: (UInt32) -> Void) {
        var next = lane.first.index
        while let index = next {
            body(index)
            next = self.index(after: index)
        }
    }
}

extension LinkedSlots: Sendable where Value: Sendable {}

/// The two ends of a lane in a `LinkedSlots`, which alone modifies them.
struct Lane: Sendable {
    var first = SlotLink.none
    var last = SlotLink.none

    var isEmpty: Bool { first.index == nil }
}

/// An index of a slot, or none: a `UInt32?` in four bytes instead of eight.
struct SlotLink: Sendable {
    private var rawValue: UInt32

    static let none = SlotLink(nil)

    init(_ index: UInt32?) {
        rawValue = index ?? .max
    }

    var index: UInt32? {
        rawValue == .max ? nil : rawValue
    }
}
