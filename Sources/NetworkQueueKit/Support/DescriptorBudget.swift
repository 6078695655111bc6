import Foundation
import Synchronization

/// How many requests the process may run at a time as far as its file descriptors go.
///
/// A running request takes a connection and a file at most. Where those would come near the limit for open files, further requests wait:
/// without a descriptor they would fail, and libdispatch on Linux ends the process when it cannot open a file of its own.
final class DescriptorBudget: Sendable {
    /// That of the process.
    static let shared = DescriptorBudget(measure: Usage.current)

    /// What a process has.
    struct Usage {
        /// How many files may be open (the soft `RLIMIT_NOFILE`).
        var limit: Int
        /// How many are open.
        var openCount: Int
        /// How many of those are certainly not of requests: neither sockets nor regular files.
        var foreignCount = 0
        /// Whether `openCount` counts those of running requests.
        var includesRequests = true

        /// That of this process. Reads a directory.
        @Sendable static func current() -> Usage {
            var limits = rlimit()
            #if canImport(Glibc)
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                let folder = "/proc/self/fd"
            #else
                let resource = RLIMIT_NOFILE
                let folder = "/dev/fd"
            #endif
            // Without a limit there is one all the same: that of the system.
            let limit = getrlimit(resource, &limits) == 0 ? Int(clamping: limits.rlim_cur) : 256
            if let names = try? FileManager.default.contentsOfDirectory(atPath: folder) {
                let foreign = names.count { name in
                    guard let kind = Int32(name).flatMap({ POSIXFile.status($0) })?.kind else { return true }
                    return kind != S_IFSOCK && kind != S_IFREG
                }
                return Usage(limit: limit, openCount: names.count, foreignCount: foreign)
            }
            // Where that needs a descriptor which is not to be had, all are in use.
            guard POSIXFile.areDescriptorsFree() else { return Usage(limit: limit, openCount: limit) }
            return Usage(limit: limit, openCount: 32, includesRequests: false)
        }
    }

    /// A connection and a file.
    static let costPerRequest = 2

    private let measure: @Sendable () -> Usage
    /// How many sockets and regular files were open when no request ran.
    private let baseline = Atomic(0)
    private let running = Atomic(0)
    /// How many may run; 0 before it has been found out.
    private let allowed = Atomic(0)
    /// The tenth of a second in which the process was looked at last.
    private let lastLook = Atomic(0)
    private static let ticksPerSecond = 10
    /// How many of those that run wait for a descriptor that they did not get.
    private let starving = Atomic(0)
    /// When something that waited too long was last told so, in milliseconds.
    private let latestSurrender = Atomic(0)
    private let waiting = Guarded(Waiting())
    /// Whether any queue waits for room, or is being told.
    private let hasWaiters = Atomic(false)

    private struct Waiter {
        weak var queue: (any DescriptorUser)?
        let id: ObjectIdentifier
        /// How many of its requests run.
        let runningCount: Int
    }

    private struct Waiting {
        var queues: [Waiter] = []
        /// The one that is about to start what it can.
        var told: Waiter?
        /// Whether a thread tells them, one after the other.
        var isTelling = false

        /// Whether one that runs fewer requests than that comes first.
        func hasSmaller(than count: Int, beside id: ObjectIdentifier) -> Bool {
            if let told, told.id != id, told.runningCount < count { return true }
            return queues.contains { $0.id != id && $0.runningCount < count }
        }

        /// Takes out the one that runs the fewest.
        mutating func takeSmallest() -> Waiter? {
            guard let index = queues.indices.min(by: { queues[$0].runningCount < queues[$1].runningCount }) else {
                return nil
            }
            return queues.remove(at: index)
        }
    }

    init(measure: @escaping @Sendable () -> Usage) {
        self.measure = measure
    }

    /// How many requests may run in this process.
    var capacity: Int {
        let known = allowed.load(ordering: .relaxed)
        return known > 0 ? known : measureAgain()
    }

    /// Whether another request may run. Several threads that ask at a time may all be told so: the reserve allows for that.
    ///
    /// - Parameter difference: How many more requests run, or fewer, than have been noted.
    func hasRoom(after difference: Int = 0) -> Bool {
        running.load(ordering: .sequentiallyConsistent) + difference < capacity
    }

    /// Whether a queue may start another request. Where several want to, that one may which runs the fewest: else the one that began
    /// would use what its own requests free, and the others would stay at one each.
    ///
    /// - Parameters:
    ///   - id: of the queue, of whose requests `runningCount` run.
    ///   - difference: How many more of them run, or fewer, than have been noted.
    func mayStart(_ id: ObjectIdentifier, runningCount: Int, after difference: Int) -> Bool {
        guard hasRoom(after: difference) else { return false }
        guard hasWaiters.load(ordering: .sequentiallyConsistent) else { return true }
        return !waiting.withLock { $0.hasSmaller(than: runningCount, beside: id) }
    }

    /// Looks at the process again where many requests run, once a second: it may have opened files for other purposes.
    func refresh() {
        let known = allowed.load(ordering: .relaxed)
        guard known == 0 || running.load(ordering: .relaxed) > known / 4 else { return }
        let now = Self.tick()
        let last = lastLook.load(ordering: .relaxed)
        guard known == 0 || now - last >= Self.ticksPerSecond else { return }
        if lastLook.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged { measureAgain() }
    }

    private static func tick() -> Int { Int(Duration.time(of: CLOCK_MONOTONIC).seconds * Double(ticksPerSecond)) }

    /// Notes that so many more requests run, or fewer; those that wait are told when there is room again.
    func note(_ difference: Int) {
        // One order for both: else a queue that begins to wait and a request that ends could miss each other.
        running.wrappingAdd(difference, ordering: .sequentiallyConsistent)
        if difference < 0, hasWaiters.load(ordering: .sequentiallyConsistent) { tellLater() }
    }

    // MARK: Requests that found no descriptor

    /// Notes that so many more requests that run wait for a descriptor, or fewer.
    func noteStarving(_ difference: Int) {
        starving.wrappingAdd(difference, ordering: .relaxed)
    }

    /// How many wait for a descriptor that they did not get.
    var starvingCount: Int { starving.load(ordering: .relaxed) }

    /// Whether a request runs that does not wait for a descriptor: its end frees some.
    var runsOthers: Bool { running.load(ordering: .relaxed) > starving.load(ordering: .relaxed) }

    /// Whether requests run, and all of them wait for a descriptor.
    var isStarved: Bool { running.load(ordering: .relaxed) > 0 && !runsOthers }

    /// Whether the caller may give up for want of a descriptor, which frees what it holds: `true` for one in two intervals.
    func maySurrender(at now: Duration) -> Bool {
        let now = Int(now.seconds * 1000)
        let latest = latestSurrender.load(ordering: .relaxed)
        guard now - latest >= (DescriptorWait.interval * 2).wholeMilliseconds else { return false }
        return latestSurrender.compareExchange(expected: latest, desired: now, ordering: .relaxed).exchanged
    }

    // MARK: Queues that wait for room

    /// Has `queue` told, once and on a thread of its own, when there may be room again.
    ///
    /// - Parameter runningCount: how many of its requests run.
    func wait(_ queue: any DescriptorUser, runningCount: Int = 0) {
        // The limit may have been raised, or others may have closed files.
        let now = Self.tick()
        if lastLook.exchange(now, ordering: .relaxed) != now { measureAgain() }
        let waiter = Waiter(queue: queue, id: ObjectIdentifier(queue), runningCount: runningCount)
        waiting.withLock { waiting in
            // By what tells them apart, not by references: one may be the last, and the end of a queue comes back here.
            waiting.queues.removeAll { $0.id == waiter.id }
            waiting.queues.append(waiter)
            hasWaiters.store(true, ordering: .sequentiallyConsistent)
        }
        // What ended before that has not been noticed.
        if hasRoom() { tellLater() }
    }

    private func tellLater() {
        let mustTell = waiting.withLock { waiting in
            defer { waiting.isTelling = true }
            return !waiting.isTelling
        }
        // Not in the middle of what another queue does.
        if mustTell { DispatchQueue.global().async { [self] in tell() } }
    }

    /// Tells those that wait, as long as there is room.
    private func tell() {
        while true {
            let next = waiting.withLock { waiting in
                waiting.told = hasRoom() ? waiting.takeSmallest() : nil
                waiting.isTelling = waiting.told != nil
                hasWaiters.store(waiting.isTelling || !waiting.queues.isEmpty, ordering: .sequentiallyConsistent)
                return waiting.told
            }
            guard let next else { return }
            next.queue?.descriptorsAreFree()
        }
    }

    /// Looks at what the process has; returns the capacity.
    @discardableResult
    private func measureAgain() -> Int {
        let usage = measure()
        let running = running.load(ordering: .relaxed)
        let candidates = usage.openCount - usage.foreignCount
        if running <= 0 { baseline.store(candidates, ordering: .relaxed) }
        let own = usage.includesRequests ? running * Self.costPerRequest : 0
        // Requests that run need not have all they may take yet: that is not to hide what others have.
        let known = usage.foreignCount + min(baseline.load(ordering: .relaxed), candidates)
        let others = usage.includesRequests ? max(usage.openCount - own, known) : usage.openCount
        let capacity = Self.capacity(limit: usage.limit, others: others)
        allowed.store(capacity, ordering: .relaxed)
        return capacity
    }

    /// How many requests may run where `others` of `limit` files are open for other purposes: an eighth, and at least 16, stay free for
    /// what opens a file for a moment.
    static func capacity(limit: Int, others: Int) -> Int {
        max((limit - max(16, limit / 8) - others) / costPerRequest, 1)
    }
}

/// What waits for descriptors.
protocol DescriptorUser: AnyObject, Sendable {
    func descriptorsAreFree()
}
