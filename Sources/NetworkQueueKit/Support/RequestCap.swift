import Foundation
import Synchronization

/// Limits the number of concurrent requests in the process by its file descriptors:
///
/// ```text
/// (soft limit − reserve − what was open before) ÷ 3, and at least 1
/// ```
///
/// The soft limit is that of `RLIMIT_NOFILE`. The reserve is an eighth of it, at least 16, and is never used for
/// requests: libdispatch on Linux ends the process when it cannot open a file of its own.
///
/// | Each request may take | |
/// |---|---|
/// | 1 | for its connection |
/// | 1 | for its file |
/// | 1 | for a folder that is being flushed, an idle connection of the transport, or part of a name lookup |
///
/// The state is atomic and needs no lock, so a queue may use it under its own lock.
final class RequestCap: Sendable {
    /// The cap of this process.
    static let shared = RequestCap()

    /// The soft limit of a process, and the number of its open descriptors.
    typealias Usage = (softLimit: Int, openCount: Int)

    private static let descriptorsPerRequest = 3
    /// The maximum number of descriptors that a request has open once it runs: a connection and a file.
    private static let openPerRequest = 2

    private let measure: @Sendable () -> Usage
    private let now: @Sendable () -> Duration
    private let running = Atomic(0)
    private let maximum = Atomic(1)
    private let openBefore = Atomic(Int.max)
    /// The second of the latest measurement.
    private let latestSecond = Atomic(-1)

    /// Creates a cap and measures for the first time: descriptors that are open now count as open before.
    init(
        now: @escaping @Sendable () -> Duration = { .time(of: CLOCK_MONOTONIC) },
        measure: @escaping @Sendable () -> Usage = RequestCap.measureProcess
    ) {
        self.now = now
        self.measure = measure
        measureAgain()
    }

    /// The maximum number of running requests.
    var limit: Int { maximum.load(ordering: .relaxed) }

    /// Takes a place for a request; returns whether there was one.
    ///
    /// - Parameter isFirst: whether the request always gets a place. A queue with nothing running may always start one,
    ///   because others may depend on it (a token refresh).
    func tryStart(isFirst: Bool) -> Bool {
        var count = running.load(ordering: .relaxed)
        if count > limit / 2 { measureAgain() }
        while isFirst || count < limit {
            let (isDone, found) = running.compareExchange(expected: count, desired: count + 1, ordering: .relaxed)
            if isDone { return true }
            count = found
        }
        return false
    }

    /// Returns places.
    func end(_ count: Int = 1) {
        running.wrappingSubtract(count, ordering: .relaxed)
    }

    /// Measures at most once a second: the limit may have been raised, and the process may have opened or closed other
    /// files.
    private func measureAgain() {
        let second = Int(now().components.seconds)
        guard latestSecond.exchange(second, ordering: .relaxed) != second else { return }
        let (softLimit, openCount) = measure()
        let before = min(openBefore.load(ordering: .relaxed), openCount)
        openBefore.store(before, ordering: .relaxed)
        let others = max(before, openCount - Self.openPerRequest * running.load(ordering: .relaxed))
        let free = softLimit - max(16, softLimit / 8) - others
        maximum.store(max(free / Self.descriptorsPerRequest, 1), ordering: .relaxed)
    }

    /// Counts the open descriptors of this process, by reading a folder.
    @Sendable static func measureProcess() -> Usage {
        // A low limit, the default of macOS, if the system does not give one.
        let softLimit = DescriptorLimit.soft ?? 256
        if let names = try? FileManager.default.contentsOfDirectory(atPath: DescriptorLimit.folder) {
            return (softLimit, names.count)
        }
        // Either no descriptor is free for reading the folder, or the system has no such folder.
        return (softLimit, POSIXFile.areDescriptorsFree() ? 32 : softLimit)
    }
}
