/// A weak reference to an observer of any type.
struct WeakObserver: Sendable {
    weak let value: (any OperationObserver)?

    init(_ value: any OperationObserver) {
        self.value = value
    }
}
