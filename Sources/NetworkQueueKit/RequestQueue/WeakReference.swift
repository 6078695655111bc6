/// A weak reference that many share: copying it is cheaper than a weak reference of one's own.
///
/// Unchecked: it is written once, by the object's initializer.
final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    private(set) weak var value: Object?

    /// Makes it refer to `object`. To be called before anybody else has the reference.
    func refer(to object: Object) {
        value = object
    }
}
