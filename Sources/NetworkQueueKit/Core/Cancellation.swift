/// What a cancellation found.
enum Cancellation<Element> {
    /// It was waiting or parked, and is gone now.
    case removed(Element)
    /// It is running, and counts as such until it is finished.
    case running(Element)
    /// It is not there, or no longer.
    case unknown
}

extension Cancellation: Sendable where Element: Sendable {}
extension Cancellation: Equatable where Element: Equatable {}
