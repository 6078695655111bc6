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
