import Dashboard
import Foundation
import NetworkQueueKit

/// Compares files one after the other and shows the progress.
final class FileCheckJob: Sendable {
    private struct State {
        var report = JobReport()
        var meter = SpeedMeter()
        /// The file being read.
        var item: ActiveItem?
        /// The list lines of files that have not been compared.
        var rest: [FailedList.Line] = []
    }

    private let files: [FileCheck]
    private let output: CommandOutput
    private let interruption: Interruption
    private let tell: @Sendable (Int, JobFailure?) -> Void
    private let state: Locked<State>
    private let start = ContinuousClock.now
    /// The number of bytes to read.
    private let total: Int64

    /// - Parameters:
    ///   - badCount: The number of invalid lines, which count as failed files.
    ///   - tell: Called after each comparison with the file's index and what is wrong with it; `nil` prints that.
    init(
        _ files: [FileCheck], badCount: Int, output: CommandOutput, interruption: Interruption,
        tell: (@Sendable (Int, JobFailure?) -> Void)? = nil
    ) {
        self.files = files
        self.output = output
        self.interruption = interruption
        self.tell = tell ?? { output.tell(files[$0], $1) }
        state = Locked(State(report: JobReport(counts: .init(waiting: files.count, failed: badCount))))
        total = files.reduce(0) {
            $0.addingSaturated($1.checksum == nil ? 0 : POSIXFile.size(following: $1.path) ?? 0)
        }
    }

    /// Runs until all files have been compared or a signal arrives. Returns the report, and the list lines of files
    /// that differ or have not been compared.
    func run() async -> (report: JobReport, unfinished: [FailedList.Line]) {
        let count = state.withLock { $0.report.counts.total }
        output.display.begin(title: "Verifying \(count.counted("file"))") { [self] in model }
        // Reading takes long and must not block the program's tasks.
        await withCheckedContinuation { done in
            Thread.detachNewThread { [self] in
                for (index, file) in files.enumerated() { compare(file, index) }
                done.resume()
            }
        }
        let state = state.withLock { $0 }
        output.failures.end()
        var last = model
        last.progress.phase = .finished
        last.progress.fractionCompleted = 1
        output.display.end(interruption.signal == nil ? last : nil)
        var report = state.report
        report.duration = start.duration(to: .now)
        report.signal = interruption.signal
        return (report, report.failures.compactMap(\.lines) + state.rest)
    }

    private func compare(_ file: FileCheck, _ index: Int) {
        state.withLock { state in
            state.item = ActiveItem(name: file.name, expected: POSIXFile.size(following: file.path))
            state.report.counts.waiting -= 1
            state.report.counts.running = 1
        }
        var failure: JobFailure?
        if interruption.signal == nil {
            failure = file.fault { count in
                state.withLock { state in
                    state.report.bytes += Int64(count)
                    state.item?.transferred += Int64(count)
                }
                return interruption.signal == nil
            }
        }
        let isCancelled = interruption.signal != nil
        state.withLock { state in
            state.item = nil
            state.report.counts.running = 0
            if isCancelled {
                state.report.counts.cancelled += 1
                if let lines = file.lines { state.rest.append(lines) }
            } else if let failure {
                state.report.counts.failed += 1
                state.report.failures.append(failure)
            } else {
                state.report.counts.finished += 1
            }
        }
        if !isCancelled { tell(index, failure) }
    }

    private var model: DashboardModel {
        state.withLock { state in
            let rate = state.meter.rate(bytes: state.report.bytes, now: .now)
            let rest = rate.flatMap { $0 > 1 ? Duration.seconds(Double(max(0, total - state.report.bytes)) / $0) : nil }
            return DashboardModel(
                progress: NetworkQueue.Progress(
                    phase: .transferring, counts: state.report.counts,
                    download: .init(transferred: state.report.bytes, expected: max(total, state.report.bytes)),
                    fractionCompleted: total > 0 ? min(1, Double(state.report.bytes) / Double(total)) : 0,
                    bytesPerSecond: rate, estimatedTimeRemaining: rest),
                items: state.item.map { [$0] } ?? [])
        }
    }
}
