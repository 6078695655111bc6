import Dashboard
import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport

@testable import netqueue

/// A job of downloads over a scripted transport and a clock that stands still, whose frames a test reads.
///
/// A HEAD is answered with the size of its file; the other exchanges are held.
final class JobRig: Sendable {
    let transport: ScriptedTransport
    let clock = ManualClock()
    let interruption = Interruption()
    private let folder: TemporaryFolder
    private let display = FrameDisplay()
    private let queues = Locked<(queue: NetworkQueue, callbacks: DispatchQueue)?>(nil)
    private let origin = ContinuousClock.now

    init(sizes: [String: Int64] = [:]) throws {
        folder = try TemporaryFolder()
        transport = ScriptedTransport { exchange in
            guard exchange.method == "HEAD" else { return .hold }
            return sizes[exchange.url.lastPathComponent].map { .status(200, ["Content-Length": "\($0)"]) } ?? .hold
        }
    }

    /// Starts downloads to files with these names, changed by `change`. The job runs until ``end(_:)``.
    func start(
        _ names: [String], _ configuration: NetworkQueue.Configuration,
        _ change: (inout NetworkRequest) -> Void = { _ in }
    ) -> Task<JobReport, Never> {
        let items = names.map { name in
            var request = NetworkRequest(.test(name))
            request.tag = name
            request.destination = .file(folder.file(name))
            change(&request)
            return request
        }
        var job = Job(
            items: ItemFeed(items), configuration: configuration, transport: transport,
            output: CommandOutput(Options(), display: display), interruption: interruption)
        var groups = GroupSizes()
        for case let group? in items.map(\.group) { groups.add(to: group) }
        job.groups = { [groups] in groups }
        job.now = { [origin, clock] in origin + clock.now }
        job.makeQueue = { [clock, queues] configuration, transport, callbacks in
            let queue = NetworkQueue(
                configuration: configuration, transport: transport, delegateQueue: callbacks, clock: clock)
            queues.withLock { $0 = (queue, callbacks) }
            return queue
        }
        return Task { [job] in await job.run() }
    }

    /// Cancels what is left of the job.
    @discardableResult
    func end(_ run: Task<JobReport, Never>) async -> JobReport {
        _ = interruption.receive(SIGINT)
        return await run.value
    }

    /// The held exchanges, in the order in which they were started.
    var gets: [ScriptedExchange] { transport.exchanges.filter { $0.exchange.method == "GET" } }

    /// Waits for held exchanges and returns them.
    func gets(_ count: Int) async -> [ScriptedExchange] {
        _ = await eventually { gets.count >= count }
        settle()
        return gets
    }

    /// Waits until what has happened has had all its effects.
    func settle() {
        guard let (queue, callbacks) = queues.withLock({ $0 }) else { return }
        repeat {
            sched_yield()
            callbacks.sync {}
        } while !transport.isQuiet { !clock.isQuiet { queue.isAtWork } }
    }

    // MARK: Frames

    /// The current frame.
    func frame(columns: Int = 120, rows: Int = 24) -> [String] {
        settle()
        return display.model?.frame(on: Canvas(columns: columns, rows: rows, charset: .ascii)).plain ?? []
    }

    /// The line about all files.
    var total: String { frame().last ?? "" }

    /// The ETA in seconds; `nil` without one.
    var eta: Int? {
        let clock = total.firstMatch(of: /ETA ([0-9:]+)/)?.1.split(separator: ":").compactMap { Int($0) }
        return clock?.reduce(0) { $0 * 60 + $1 }
    }

    /// The percentage; `nil` without one.
    var percent: Int? { total.firstMatch(of: /^ *([0-9]+)%/).flatMap { Int($0.1) } }

    /// Lets time pass with a frame every 100 ms, like a terminal's. Calls `body` at the beginning of each tenth of a
    /// second with its number, from 1.
    func pass(tenths: Int, _ body: (Int) -> Void = { _ in }) {
        for tenth in 1...tenths {
            body(tenth)
            settle()
            clock.advance(by: .milliseconds(100))
            _ = frame()
        }
    }
}

/// A display whose frames are read when a test wants them.
private final class FrameDisplay: ProgressDisplay {
    private let source = Locked<(@Sendable () -> DashboardModel)?>(nil)

    var model: DashboardModel? { source.withLock { $0 }?() }

    func begin(title: String, model: @escaping @Sendable () -> DashboardModel) { source.withLock { $0 = model } }
    func log(_ line: String) {}
    func end(_ model: DashboardModel?) {}
}
