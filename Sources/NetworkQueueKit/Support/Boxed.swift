/// An optional value on the heap: what most never have costs them one pointer.
@propertyWrapper
struct Boxed<Value> {
    private var box: CopyOnWrite<Value>?

    /// Creates an empty box; cheaper than with a `nil`, which is copied.
    init() {}

    init(wrappedValue: Value?) {
        box = if let value = wrappedValue { CopyOnWrite(value) } else { nil }
    }

    var isEmpty: Bool { box == nil }

    var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { CopyOnWrite($0) } }
    }
}

extension Boxed: Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {}

extension Boxed: Hashable where Value: Hashable {}
