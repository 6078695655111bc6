import Dashboard
import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

/// The clock is the test's: nothing here waits.
struct StatusBoardTests {
    private static let mebibyte: Int64 = 1 << 20
    private let start = ContinuousClock.now

    private func status(
        _ number: Int, sequence: Int = 20, rate: Double? = 2, exit: Int32? = nil, failed: Int = 0,
        run: String? = nil, started: String = "2026-11-27T13:05:07.250Z"
    ) -> JobStatus {
        var status = JobStatus(run: run ?? "run\(number)", started: started, sequence: sequence, host: "node\(number)")
        status.shard = "\(number)/4"
        status.progress = .init(
            phase: exit == nil ? .transferring : .finished, counts: .init(waiting: 7, finished: 3, failed: failed),
            download: .init(transferred: 30 * Self.mebibyte, expected: 100 * Self.mebibyte), fractionCompleted: 0.3,
            bytesPerSecond: rate.map { $0 * Double(Self.mebibyte) },
            estimatedTimeRemaining: rate.map { .seconds(70 / $0) })
        status.exit = exit
        return status
    }

    private func take(
        _ board: inout StatusBoard, _ statuses: [JobStatus], after seconds: Int = 0, age: Duration = .zero
    ) {
        let readings = statuses.enumerated().map {
            (path: "d/\($0).netqueue.json", reading: StatusReader.Reading.status($1, age: age))
        }
        board.take(readings, now: start + .seconds(seconds))
    }

    private func frame(_ board: StatusBoard, columns: Int) -> [String] {
        board.model.frame(on: Canvas(columns: columns, rows: 24, charset: .ascii)).plain
    }

    @Test func `Machines below a folder that cannot be read at the moment are not forgotten`() {
        var board = StatusBoard(isOnce: false)
        take(&board, [status(1), status(2)])
        board.take([(path: "d", reading: .unreadable("cannot be read"))], now: start + .seconds(5))
        #expect(board.machines.count == 2 && !board.isOver && board.exitCode == .running)
        board.take([], now: start + .seconds(6))
        #expect(!board.isOver && board.exitCode == .lost)
    }

    @Test(arguments: [40, 80, 200])
    func `One bar has the sums of all machines, below those that are lost or slow`(columns: Int) {
        var board = StatusBoard(isOnce: false)
        let all = [status(1), status(2, rate: 0.5), status(3), status(4)]
        take(&board, all)
        take(
            &board, [status(1, sequence: 21), status(2, sequence: 21, rate: 0.5), status(3, sequence: 21), all[3]],
            after: 31)
        let lines = frame(board, columns: columns)
        #expect(lines.count == 5 && lines.allSatisfy { $0.count < columns })
        #expect(
            lines[0].hasPrefix("  4/4 node4") && lines[0].contains(columns == 40 ? "lost" : "lost: no news for 31 s"))
        #expect(lines[1].hasPrefix("  2/4 node2, slow"))
        #expect(lines[2].hasPrefix("  1/4 node1 ") && lines[3].hasPrefix("  3/4 node3 "))
        #expect(lines[4].hasPrefix(" 30% ["))
        if columns > 40 {
            #expect(lines[4].contains("12/40 files, 120/400 MiB, 4.5 MiB/s, ETA 2:20"))
        }
    }

    @Test func `Machines that download and machines that upload have one total`() {
        var board = StatusBoard(isOnce: false)
        var upload = status(2)
        swap(&upload.progress.download, &upload.progress.upload)
        upload.progress.download.expected = nil
        var download = status(1)
        download.progress.upload.expected = nil
        take(&board, [download, upload])
        #expect(board.progress.download.expected == 100 * Self.mebibyte)
        #expect(board.progress.upload.expected == 100 * Self.mebibyte)
        #expect(board.progress.fractionCompleted == 0.3)
        download.progress.download.expected = nil
        take(&board, [download, upload])
        #expect(board.progress.download.expected == nil)
    }

    @Test func `A machine is lost after 30 s without another sequence, and back with the next one`() {
        var board = StatusBoard(isOnce: false)
        take(&board, [status(1)])
        take(&board, [status(1)], after: 29)
        #expect(board.exitCode == .running && !board.isOver)
        take(&board, [status(1)], after: 30)
        #expect(board.exitCode == .lost && board.isOver)
        take(&board, [status(1, sequence: 1, run: "again")], after: 40)
        #expect(board.exitCode == .running)
    }

    @Test func `Files that are read once count as lost when they are older than 60 s`() {
        var board = StatusBoard(isOnce: true)
        take(&board, [status(1)], age: .seconds(59))
        #expect(board.exitCode == .running)
        take(&board, [status(1)], age: .seconds(61))
        #expect(board.exitCode == .lost)
        take(&board, [status(1, exit: 0)], age: .seconds(9999))
        #expect(board.exitCode == .success && board.model.progress.phase == .finished)
    }

    @Test func `Of one part of a list the newest start counts, and of copies of one file only one`() {
        var board = StatusBoard(isOnce: false)
        let new = status(1, exit: 0, run: "new", started: "2026-11-27T13:05:08.000Z")
        take(&board, [new, status(1, exit: 1, failed: 2), status(2, exit: 0), status(2, exit: 0)])
        #expect(board.machines.count == 2 && board.exitCode == .success)
        #expect(board.progress.counts.finished == 6)
    }

    @Test func `The exit code is that of what is still running, then lost, then failed`() {
        var board = StatusBoard(isOnce: false)
        take(&board, [status(1, exit: 0), status(2, exit: 1, failed: 2)])
        #expect(board.exitCode == .failure && board.notes == ["2/4 node2: 2 failed"])
        board.take([("x", .fault("is larger than 64 KiB"))], now: start)
        #expect(board.exitCode == .lost && board.faults.map(\.text) == ["is larger than 64 KiB"])
    }

    @Test func `Numbers and texts of others do no harm`() throws {
        var hostile = status(1)
        hostile.host = "\u{1B}[2Jx"
        hostile.shard = nil
        hostile.progress.download = .init(transferred: .max, expected: .max)
        hostile.progress.counts.total = .max
        hostile.progress.bytesPerSecond = 1e308
        var other = hostile
        other.run = "other"
        var board = StatusBoard(isOnce: false)
        take(&board, [hostile, other])
        for columns in [1, 10, 80] {
            #expect(frame(board, columns: columns).allSatisfy { !$0.contains("\u{1B}") })
        }
        hostile.progress.counts.total = -1
        let content = try JSONLog.line(hostile)
        #expect(!content.contains("\u{1B}"))
        #expect(throws: JobStatus.Fault("is not a status file of netqueue")) {
            try JobStatus.decode(Data(content.utf8))
        }
    }
}
