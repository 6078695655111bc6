import Foundation
import NetworkQueueKit

/// How many files have been fetched when the sizes of all are known, and whether the expected total stays exact from
/// there on.
struct WanSizing {
    /// Watches one run's progress. It is told of progress several times a second, not for each request.
    private final class Watch: NetworkQueueDelegate, Sendable {
        struct State {
            var hasSized = false
            /// The first snapshot in which every size was known.
            var complete: NetworkQueue.Progress?
            var completeAt: ContinuousClock.Instant?
            /// Snapshots after it, and those among them with an estimate again.
            var later = 0
            var estimatedLater = 0
        }

        let state = Guarded(State())

        func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
            state.withLock { state in
                if state.complete != nil {
                    state.later += 1
                    if progress.download.isEstimated { state.estimatedLater += 1 }
                    return
                }
                if case .sizing(let completed, let total) = progress.phase {
                    state.hasSized = true
                    if completed < total { return }
                }
                guard state.hasSized, progress.download.expected != nil, !progress.download.isEstimated else { return }
                state.complete = progress
                state.completeAt = .now
            }
        }
    }

    private struct Figures: Codable {
        var scenario = "wan-sizing"
        var files: Int
        var width: Int
        var roundTripMilliseconds: Int
        var seconds: Double
        /// `nil` where there was no moment before the end at which all sizes were known.
        var completeAfterSeconds: Double?
        var fetchedShare: Double?
        var laterUpdates: Int
        var laterEstimatedUpdates: Int
    }

    private static let content = Data(repeating: 0x61, count: 100)

    let options: WanOptions
    let server: BenchmarkServer
    let output: Output
    let count: Int

    func run() async throws -> Bool {
        try Self.content.write(to: server.tree.appending(path: "one"))
        for roundTrip in options.roundTrips {
            for width in options.widths { try await measure(roundTrip, width) }
        }
        return true
    }

    private func measure(_ roundTrip: Int, _ width: Int) async throws {
        let line = try Line(
            to: server.ports[.plain] ?? 0, roundTripMilliseconds: roundTrip, megabits: options.megabits)
        let folder = DownloadFolder(url: server.folder.appending(path: "downloads"))
        try folder.prepare()
        let task = DownloadTask(
            contender: .sized, url: "http://127.0.0.1:\(line.port)/many/#", count: count, width: width,
            folder: folder.url, version: .plain, checkers: options.checkers)
        let runner = FreshQueueRunner(job: try task.job(), isSized: true, checkers: options.checkers)
        let queue = try runner.makeQueue()
        let watch = Watch()
        queue.delegate = watch
        let start = ContinuousClock.now
        _ = try await runner.run(queue)
        let seconds = start.duration(to: .now) / .seconds(1)
        try folder.check(Array(repeating: Self.content.count, count: count))
        _ = line.stop()
        let state = watch.state.withLock { $0 }
        report(
            Figures(
                files: count, width: width, roundTripMilliseconds: roundTrip, seconds: seconds,
                completeAfterSeconds: state.completeAt.map { start.duration(to: $0) / .seconds(1) },
                fetchedShare: state.complete.map { Double($0.counts.finished) / Double(count) },
                laterUpdates: state.later, laterEstimatedUpdates: state.estimatedLater))
    }

    private func report(_ figures: Figures) {
        output.json(figures)
        let title =
            "\(count) files of \(Self.content.count) bytes, \(figures.roundTripMilliseconds) ms, "
            + "\(figures.width) at a time: \(format("%.1f s", figures.seconds))"
        guard let share = figures.fetchedShare, let after = figures.completeAfterSeconds else {
            output.text("\(title); at no time before the end were all sizes known")
            return
        }
        let isExact = figures.laterEstimatedUpdates == 0
        output.text(
            "\(title)\nall sizes known after \(format("%.1f s", after)), "
                + "\(format("%.1f %%", share * 100)) of the files fetched by then\n"
                + "isEstimated \(isExact ? "stayed false" : "was true again in \(figures.laterEstimatedUpdates)")"
                + (isExact ? " in all \(figures.laterUpdates) updates after it" : " of \(figures.laterUpdates) updates")
        )
    }
}
