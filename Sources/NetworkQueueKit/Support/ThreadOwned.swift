/// A value that belongs to one thread at a time, which hands it on to the next by some means that makes its changes seen.
///
/// Unchecked: that it is so is for its user to say and to keep. Nor does the compiler check that accesses are exclusive, as it does
/// for a stored property of a class: that took 2,400 of the 13,000 instructions from one response to the next request.
struct ThreadOwned<Value>: @unchecked Sendable {
    private let storage: ManagedBuffer<Value, Void>

    init(_ value: consuming Value) {
        var value = Optional(value)
        storage = ManagedBuffer<Value, Void>.create(minimumCapacity: 0) { _ in value.take().unsafelyUnwrapped }
    }

    var value: Value {
        unsafeAddress { UnsafePointer(storage.withUnsafeMutablePointerToHeader { $0 }) }
        nonmutating unsafeMutableAddress { storage.withUnsafeMutablePointerToHeader { $0 } }
    }
}
