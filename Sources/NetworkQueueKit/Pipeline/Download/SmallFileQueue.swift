import Foundation

/// Makes small files on as few threads as keep up with them: to wake a thread costs as much as to make a file in memory does.
///
/// Files that are whole at about the same time share one thread, and one call that brings their names to the disk. Where the disk
/// takes its time, each has a thread of its own, and the file system writes them together.
final class SmallFileQueue: Sendable {
    static let shared = SmallFileQueue()

    /// So many files are made before the first of them is reported: with more, all requests of a small queue would wait for one thread.
    private static let batchSize = 4
    private static let maximumThreads = 2
    private static let maximumThreadsForSlowDisk = 32
    /// A disk that takes longer for a file is slow.
    private static let slowDuration: Duration = .milliseconds(1)

    private struct Job {
        let file: any SmallFile
        let report: Delivery.Report
    }

    private struct State {
        var waiting: [Job] = []
        var threads = 0
        var isSlow = false

        var needsThread: Bool {
            if threads == 0 || isSlow { return threads < SmallFileQueue.maximumThreadsForSlowDisk }
            return threads < SmallFileQueue.maximumThreads && waiting.count >= 2 * SmallFileQueue.batchSize
        }

        /// The next files to make; without any, the thread that asks is no longer counted.
        mutating func takeJobs() -> [Job] {
            guard !waiting.isEmpty else {
                threads -= 1
                return []
            }
            guard isSlow || waiting.count > SmallFileQueue.batchSize else {
                defer { waiting = [] }
                return waiting
            }
            let jobs = Array(waiting.prefix(isSlow ? 1 : SmallFileQueue.batchSize))
            waiting.removeFirst(jobs.count)
            return jobs
        }
    }

    private let state = Guarded(State())
    private let synchronize: @Sendable (_ folder: String) -> Void
    private let now: @Sendable () -> Duration
    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates a queue. What it gets from the system are arguments for its tests.
    ///
    /// - Parameters:
    ///   - synchronize: brings the names in a folder to the disk.
    ///   - now: the time since a fixed moment.
    ///   - startThread: calls a function on a thread for files.
    init(
        synchronize: @escaping @Sendable (_ folder: String) -> Void = { POSIXFile.synchronize(folder: $0) },
        now: @escaping @Sendable () -> Duration = { Duration.time(of: CLOCK_MONOTONIC) },
        startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
            FileSink.queue.async { body() }
        }
    ) {
        self.synchronize = synchronize
        self.now = now
        self.startThread = startThread
    }

    /// Makes a file that has all its content, and reports it, both on a thread for files.
    func make(_ file: some SmallFile, _ report: @escaping Delivery.Report) {
        let mustStart = state.withLock { state in
            state.waiting.append(Job(file: file, report: report))
            guard state.needsThread else { return false }
            state.threads += 1
            return true
        }
        if mustStart { startThread { [self] in makeWaiting() } }
    }

    private func makeWaiting() {
        while case let jobs = state.withLock({ $0.takeJobs() }), !jobs.isEmpty {
            let start = now()
            let outcomes = make(jobs)
            let isSlow = now() - start > Self.slowDuration * jobs.count
            state.withLock { $0.isSlow = isSlow }
            for (job, outcome) in zip(jobs, outcomes) { job.report(outcome) }
        }
    }

    private func make(_ jobs: [Job]) -> [Delivery.Outcome] {
        var folders: Set<String> = []
        let outcomes = jobs.map { job in
            Result { () throws(NetworkError) in
                try job.file.makeFile { folder in folders.insert(folder) }
            }
        }
        for folder in folders { synchronize(folder) }
        return outcomes
    }
}
