/// A value on the heap that copies share until one of them changes. A copy costs one reference, whatever the value.
struct CopyOnWrite<Value> {
    /// Not a class of our own: Swift would check each access to its stored property for exclusivity, although access to
    /// the struct is exclusive anyway.
    private typealias Storage = ManagedBuffer<Value, Void>

    // Unchecked: never changed while shared.
    private nonisolated(unsafe) var storage: Storage

    init(_ value: Value) {
        storage = Self.store(value)
    }

    var value: Value {
        // The address, not the value: a caller that needs one field copies only that. `_read` would copy all of them
        // first.
        unsafeAddress { UnsafePointer(storage.withUnsafeMutablePointerToHeader { $0 }) }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Self.store(storage.header) }
            defer { extendLifetime(storage) }
            yield &storage.withUnsafeMutablePointerToHeader { $0 }.pointee
        }
    }

    private static func store(_ value: Value) -> Storage {
        // Moved in, not copied. The closure is called once, so the value is there to take.
        var value = Optional(value)
        return Storage.create(minimumCapacity: 0) { _ in value.take().unsafelyUnwrapped }
    }
}

/// Mirrors show the value as if it were stored in place.
extension CopyOnWrite: CustomReflectable {
    var customMirror: Mirror { Mirror(reflecting: value) }
}

extension CopyOnWrite: Sendable where Value: Sendable {}
