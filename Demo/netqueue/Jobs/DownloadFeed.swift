import Foundation
import NetworkQueueKit

/// Reads the rest of a plan on its own thread while the downloads read before are running.
final class DownloadFeed: Sendable {
    /// The downloads known so far.
    let items: ItemFeed
    private let plan: Locked<DownloadPlan>
    private let state = Locked(DownloadPlan.Portion())
    private let output: CommandOutput
    private let endInput: @Sendable () -> Void
    /// Ends when the thread that reads has ended.
    private let (reading, thread) = AsyncStream<Never>.makeStream()

    /// - Parameters:
    ///   - plan: The plan to read.
    ///   - first: The portion that has been read from it.
    init(_ plan: DownloadPlan, _ first: DownloadPlan.Portion, output: CommandOutput) {
        items = ItemFeed(first.downloads, isComplete: !plan.hasMore) {
            [maker = plan.maker] in maker.item($0, log: output.log)
        }
        self.plan = Locked(plan)
        endInput = plan.endInput
        self.output = output
        take(first)
    }

    /// Everything in the plan other than downloads.
    var rest: DownloadPlan.Portion { state.withLock { $0 } }

    /// The counts of files that are not downloaded.
    var counts: NetworkQueue.Progress.Counts {
        state.withLock { .init(finished: $0.skipped.count, failed: $0.bad.count) }
    }

    /// Reads the rest of the plan.
    func read() {
        guard !items.isComplete else { return thread.finish() }
        Thread.detachNewThread { [self] in
            do throws(UsageError) {
                while let portion = try plan.withLock({ plan throws(UsageError) in try plan.next() }) {
                    take(portion)
                    items.yield(portion.downloads)
                }
            } catch {
                take(DownloadPlan.Portion(bad: [JobFailure(source: "standard input", reason: error.message)]))
            }
            items.finish()
            thread.finish()
        }
    }

    /// Ends the reading, and waits until the complete lines that have been read are among the items.
    func end() async {
        endInput()
        for await _ in reading {}
    }

    private func take(_ portion: DownloadPlan.Portion) {
        state.withLock { $0.addRest(of: portion) }
        output.tell(portion.bad)
    }
}
