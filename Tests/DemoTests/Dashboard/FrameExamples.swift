import Dashboard
import NetworkQueueKit

/// Models for golden frames.
enum FrameExamples {
    static let mebibyte: Int64 = 1 << 20

    /// The example, with six transfers under way.
    static let known = DashboardModel(progress: progress(), items: items)

    /// Groups at work; the names of some are hostile or long.
    static let groups = [
        GroupItem(
            name: "album-7",
            progress: progress {
                $0.counts = .init(waiting: 4, running: 1, finished: 7)
                $0.download = .init(transferred: 700 * mebibyte, expected: 1200 * mebibyte)
                ($0.fractionCompleted, $0.bytesPerSecond) = (0.58, 2 * Double(mebibyte))
            }),
        GroupItem(
            name: "音楽/とても長い名前のグループ名がここにありますから\u{1B}[2J",
            progress: progress {
                $0.counts = .init(running: 1, finished: 38, failed: 1)
                $0.download = .init(transferred: 3000 * mebibyte, expected: 3482 * mebibyte)
                ($0.fractionCompleted, $0.bytesPerSecond) = (1, nil)
            }),
    ]

    static let estimated = DashboardModel(progress: progress { $0.download.isEstimated = true })

    static let unknown = DashboardModel(
        progress: progress { progress in
            progress.download.expected = nil
            progress.estimatedTimeRemaining = nil
        })

    static let sizing = DashboardModel(
        progress: .init(phase: .sizing(completed: 120, total: 400), counts: .init(waiting: 400)))

    static let starting = DashboardModel(progress: .init(counts: .init(waiting: 400)))

    static let flushing = DashboardModel(
        progress: progress { progress in
            progress.counts = .init(finished: 40)
            progress.download.transferred = 3482 * mebibyte
            progress.fractionCompleted = 1
            (progress.bytesPerSecond, progress.estimatedTimeRemaining) = (nil, nil)
        }, isFlushing: true)

    static let finished = DashboardModel(
        progress: progress { progress in
            progress.phase = .finished
            progress.counts = .init(finished: 40)
            progress.download.transferred = 3482 * mebibyte
            progress.fractionCompleted = 1
        })

    static let finishedWithFailures = DashboardModel(
        progress: progress { progress in
            progress.phase = .finished
            progress.counts = .init(finished: 38, failed: 2)
            progress.fractionCompleted = 1
        })

    static let items = [
        ActiveItem(
            name: "films/0031.mov", transferred: 4 * mebibyte, expected: 12 * mebibyte,
            bytesPerSecond: 2 * Double(mebibyte)),
        ActiveItem(name: "音楽/とても長い名前のファイル名がここにあります.flac", transferred: 900, expected: 2048),
        ActiveItem(name: "a/path/of/many/folders/that/goes/on/and/on/and/on/file.tar.gz", transferred: 5000),
        ActiveItem(name: "new\u{1B}[2Jline\n.txt", transferred: 0, expected: 10),
        ActiveItem(
            name: "e.txt", transferred: 5000, expected: 1 << 20, remark: "503 Service Unavailable; retrying in 4 s"),
        ActiveItem(name: "f.txt"),
    ]

    static func progress(_ change: (inout NetworkQueue.Progress) -> Void = { _ in }) -> NetworkQueue.Progress {
        var progress = NetworkQueue.Progress(
            phase: .transferring,
            counts: .init(waiting: 22, running: 6, finished: 12),
            download: .init(transferred: 1229 * mebibyte, expected: 3482 * mebibyte),
            fractionCompleted: 0.353, bytesPerSecond: 8.1 * Double(mebibyte), estimatedTimeRemaining: .seconds(51))
        change(&progress)
        return progress
    }
}
