/// The two ends of a line of values in a `LinkedSlots`, which alone changes them.
struct Lane: Sendable {
    var first = SlotLink.none
    var last = SlotLink.none

    var isEmpty: Bool { first.index == nil }
}
