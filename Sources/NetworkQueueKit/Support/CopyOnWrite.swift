/// A value on the heap, shared between copies until one of them changes: a copy costs one reference, whatever is in it.
struct CopyOnWrite<Value> {
    private final class Storage: @unchecked Sendable {  // never changed while it is shared
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    init(_ value: Value) {
        storage = Storage(value)
    }

    var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}

extension CopyOnWrite: Sendable where Value: Sendable {}

extension CopyOnWrite: Equatable where Value: Equatable {
    static func == (left: CopyOnWrite, right: CopyOnWrite) -> Bool {
        left.storage === right.storage || left.value == right.value
    }
}

extension CopyOnWrite: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
