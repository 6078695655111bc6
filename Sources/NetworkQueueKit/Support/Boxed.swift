/// An optional value on the heap: what most never have costs them one pointer.
@propertyWrapper
struct Boxed<Value> {
    private var box: CopyOnWrite<Value>?

    init(wrappedValue: Value?) {
        box = wrappedValue.map { CopyOnWrite($0) }
    }

    var isEmpty: Bool { box == nil }

    var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { CopyOnWrite($0) } }
    }
}

extension Boxed: Sendable where Value: Sendable {}
