/// A weak reference that can be stored and sent. Reading and clearing one is atomic in Swift.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak let value: Object?

    init(_ value: Object) {
        self.value = value
    }
}
