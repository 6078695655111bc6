/// A value on the heap that copies share until one of them changes. A copy costs one reference, whatever the value.
struct CopyOnWrite<Value> {
    /// Not a class with a stored property: Swift would check each access to it for exclusivity, although access to the
    /// struct is exclusive anyway.
    private final class Storage: ManagedBuffer<Void, Value> {
        deinit { withUnsafeMutablePointerToElements { _ = $0.deinitialize(count: 1) } }
    }

    // Unchecked: never changed while shared.
    private nonisolated(unsafe) var storage: ManagedBuffer<Void, Value>

    init(_ value: consuming Value) {
        storage = Self.store(value)
    }

    var value: Value {
        // The address, not the value: a caller that needs one field copies only that. `_read` would copy all of them
        // first.
        unsafeAddress { UnsafePointer(storage.withUnsafeMutablePointerToElements { $0 }) }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Self.store(value) }
            defer { extendLifetime(storage) }
            yield &storage.withUnsafeMutablePointerToElements { $0 }.pointee
        }
    }

    private static func store(_ value: consuming Value) -> ManagedBuffer<Void, Value> {
        let storage = Storage.create(minimumCapacity: 1) { _ in () }
        storage.withUnsafeMutablePointerToElements { $0 }.initialize(to: value)
        return storage
    }
}

/// Mirrors show the value as if it were stored in place.
extension CopyOnWrite: CustomReflectable {
    var customMirror: Mirror { Mirror(reflecting: value) }
}

extension CopyOnWrite: Sendable where Value: Sendable {}

extension CopyOnWrite: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.storage === right.storage || left.value == right.value }
}

extension CopyOnWrite: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
