/// Items of a job that become known while it runs.
final class ItemFeed<Item: Sendable>: Sendable {
    /// The items, in portions.
    let portions: AsyncStream<[Item]>
    private let continuation: AsyncStream<[Item]>.Continuation
    private let hasStopped = Locked(false)

    init() {
        (portions, continuation) = AsyncStream.makeStream()
    }

    /// Whether no more are wanted.
    var isStopped: Bool { hasStopped.withLock { $0 } }

    /// Adds some.
    func yield(_ items: [Item]) { continuation.yield(items) }

    /// There are no more.
    func finish() { continuation.finish() }

    /// No more are wanted; those that have been added are still handed out.
    func stop() {
        hasStopped.withLock { $0 = true }
        finish()
    }
}
