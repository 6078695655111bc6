/// A weak reference to a listener of any type.
final class WeakListener: Sendable {
    weak let value: (any OperationListener)?

    init(_ value: any OperationListener) {
        self.value = value
    }
}
