/// A weak reference to a listener of any type.
///
/// Unchecked: it is written once, by the initializer. (`weak let` needs Swift 6.2.3.)
final class WeakListener: @unchecked Sendable {
    private(set) weak var value: (any OperationListener)?

    init(_ value: any OperationListener) {
        self.value = value
    }
}
