/// A weak reference to an observer of any type.
final class WeakObserver: Sendable {
    weak let value: (any OperationObserver)?

    init(_ value: any OperationObserver) {
        self.value = value
    }
}
