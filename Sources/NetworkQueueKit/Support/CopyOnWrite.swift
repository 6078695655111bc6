/// A value on the heap, shared between copies until one of them changes: a copy costs one reference, whatever is in it.
struct CopyOnWrite<Value> {
    /// Not a stored property of a class of our own: each access to one would be checked to be exclusive, which the
    /// value of a struct is anyway.
    private typealias Storage = ManagedBuffer<Value, Void>

    // Unchecked: never changed while it is shared.
    private nonisolated(unsafe) var storage: Storage

    init(_ value: Value) {
        storage = Self.store(value)
    }

    var value: Value {
        // The address, not the value: who wants one field of it copies that one. `_read` would copy all of them first.
        unsafeAddress { UnsafePointer(storage.withUnsafeMutablePointerToHeader { $0 }) }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Self.store(storage.header) }
            defer { extendLifetime(storage) }
            yield &storage.withUnsafeMutablePointerToHeader { $0 }.pointee
        }
    }

    private static func store(_ value: Value) -> Storage {
        // Moved in, not copied: the closure is called once, so that there is something to take.
        var value = Optional(value)
        return Storage.create(minimumCapacity: 0) { _ in value.take().unsafelyUnwrapped }
    }
}

/// Texts show the value as if it were stored in place.
extension CopyOnWrite: CustomReflectable {
    var customMirror: Mirror { Mirror(reflecting: value) }
}

extension CopyOnWrite: Sendable where Value: Sendable {}
