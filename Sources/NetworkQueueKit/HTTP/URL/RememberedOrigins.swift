import Foundation
import Synchronization

/// The places where servers did something that the client avoids for a while: single paths and, once it was seen on
/// enough of them, whole origins. When it is full, all are forgotten. Thread-safe.
final class RememberedOrigins: Sendable {
    /// How long a place is remembered after it was last seen there.
    static let usualLifetime = Duration.seconds(600)

    private struct Memory {
        /// When it was seen on single paths.
        var paths: [String: Duration] = [:]
        /// When it was seen on the last of enough paths.
        var origin: Duration?
    }

    private static let capacity = 1024
    private let threshold: Int
    private let lifetime: Duration?
    private let now: @Sendable () -> Duration
    private let memories = Guarded<[Origin: Memory]>([:])
    /// Usually there are none, and computing the origin of a URL takes microseconds on Linux.
    private let isEmpty = Atomic(true)

    /// - Parameters:
    ///   - threshold: the number of paths that stand for their origin.
    ///   - lifetime: how long a place is remembered; `nil` means forever.
    init(
        threshold: Int = 1, lifetime: Duration? = usualLifetime,
        now: @escaping @Sendable () -> Duration = { SystemTimekeeper().now }
    ) {
        self.threshold = threshold
        self.lifetime = lifetime
        self.now = now
    }

    /// Notes that it was seen at `url`.
    func insert(_ url: URL) {
        guard let origin = Origin(url) else { return }
        let now = now()
        memories.withLock { memories in
            var memory = memories[origin] ?? Memory()
            memory.paths = memory.paths.filter { isFresh($0.value, now) }
            memory.paths[url.path()] = now
            if memory.paths.count >= threshold { memory = Memory(origin: now) }
            if memories[origin] == nil, memories.count >= Self.capacity { memories = [:] }
            memories[origin] = memory
        }
        isEmpty.store(false, ordering: .releasing)
    }

    /// Whether to avoid it at `url`: it was seen there, or on enough other paths of the same origin.
    func contains(_ url: URL?) -> Bool {
        guard let (url, memory, now) = memory(of: url) else { return false }
        return isFresh(memory.origin, now) || isFresh(memory.paths[url.path()], now)
    }

    /// Whether it was seen anywhere at the origin of `url`.
    func containsOrigin(of url: URL?) -> Bool {
        guard let (_, memory, now) = memory(of: url) else { return false }
        return isFresh(memory.origin, now) || memory.paths.values.contains { isFresh($0, now) }
    }

    private func memory(of url: URL?) -> (URL, Memory, now: Duration)? {
        guard !isEmpty.load(ordering: .acquiring), let url, let origin = Origin(url),
            let memory = memories.withLock({ $0[origin] })
        else { return nil }
        return (url, memory, now())
    }

    private func isFresh(_ time: Duration?, _ now: Duration) -> Bool {
        guard let time else { return false }
        return lifetime.map { now - time < $0 } ?? true
    }
}
