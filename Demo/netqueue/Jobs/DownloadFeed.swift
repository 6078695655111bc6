import Foundation
import NetworkQueueKit

/// Reads the rest of a plan on a thread of its own, while what has been read before is fetched.
final class DownloadFeed: Sendable {
    /// What is there beside the downloads.
    struct Rest: Sendable {
        var bad: [JobFailure] = []
        var skippedCount = 0
        var folders = NewFolders()
    }

    /// The downloads, as they become known.
    let items = ItemFeed<Download>()
    private let state: Locked<Rest>
    private let output: CommandOutput

    /// Takes the first portion, which has been read.
    init(_ first: DownloadPlan.Portion, output: CommandOutput) {
        state = Locked(Rest())
        self.output = output
        take(first)
    }

    var rest: Rest { state.withLock { $0 } }

    /// What counts beside the downloads.
    var counts: NetworkQueue.Progress.Counts {
        state.withLock { .init(finished: $0.skippedCount, failed: $0.bad.count) }
    }

    /// Reads the rest of `plan`.
    func read(_ plan: DownloadPlan) {
        guard plan.hasMore else { return items.finish() }
        Thread.detachNewThread { [self] in
            var plan = plan
            do throws(UsageError) {
                while !items.isStopped, let portion = try plan.next() {
                    take(portion)
                    items.yield(portion.downloads)
                }
            } catch {
                take(DownloadPlan.Portion(bad: [JobFailure(source: "standard input", reason: error.message)]))
            }
            items.finish()
        }
    }

    private func take(_ portion: DownloadPlan.Portion) {
        state.withLock { rest in
            rest.bad += portion.bad
            rest.skippedCount += portion.skippedCount
            // Before any of them is created.
            rest.folders.note(portion.downloads.compactMap(\.path))
        }
        output.tell(portion.bad)
    }
}
