import Foundation
import NetworkQueueKit
import Testing

@testable import netqueue

/// Of a disk that has no room for anything.
struct DiskSpaceTests {
    private static let gibibyte: Int64 = 1 << 30

    private func progress(
        _ expected: Int64?, _ change: (inout NetworkQueue.Progress) -> Void = { _ in }
    ) -> NetworkQueue.Progress {
        var progress = NetworkQueue.Progress(
            phase: .transferring, counts: .init(waiting: 1), download: .init(transferred: 0, expected: expected))
        change(&progress)
        return progress
    }

    @Test func `A batch that does not fit on the disk says so once`() {
        let space = DiskSpace("/full", free: { _ in 0 }) { Self.gibibyte }
        #expect(!space.isSettled)
        #expect(
            space.complaint(progress(5 * Self.gibibyte))
                == "netqueue: not enough disk space: the files need 4.0 GiB, and /full has 0 B free")
        #expect(space.isSettled)
        #expect(space.complaint(progress(5 * Self.gibibyte)) == nil)
    }

    @Test func `The disk is not judged while sizes are missing or estimated`() {
        let space = DiskSpace("/full", free: { _ in 0 }) { 0 }
        let size = Self.gibibyte
        for early in [
            progress(nil), progress(size) { $0.phase = .sizing(completed: 1, total: 2) },
            progress(size) { $0.download.isEstimated = true },
            progress(size) { $0.sizing = .init(completed: 1, total: 2) },
        ] {
            #expect(space.complaint(early) == nil)
            #expect(!space.isSettled)
        }
        #expect(
            space.complaint(progress(size))
                == "netqueue: not enough disk space: the files need 1.0 GiB, and /full has 0 B free")
    }

    @Test func `The disk is judged at once by the size that a list gives`() {
        let space = DiskSpace("/full", size: 5 * Self.gibibyte, free: { _ in 0 }) { Self.gibibyte }
        let complaint = space.complaint(progress(nil) { $0.phase = .sizing(completed: 1, total: 2) })
        #expect(complaint == "netqueue: not enough disk space: the files need 4.0 GiB, and /full has 0 B free")
    }

    @Test func `A list that has all sizes is judged as a whole, even if a plan has only its beginning`() {
        let space = DiskSpace("/full", free: { _ in 2 * Self.gibibyte }) { Self.gibibyte }
        var plan = NetworkQueue.Plan()
        plan.volumes = [.init(path: "/", neededBytes: 1, freeBytes: 2)]
        #expect(space.shortage(plan, size: 5 * Self.gibibyte) == nil && !space.isSettled)
        plan.isComplete = false
        let shortage = space.shortage(plan, size: 5 * Self.gibibyte)
        #expect(shortage?.neededBytes == 4 * Self.gibibyte && shortage?.path == "/full")
        // It is not told of again.
        #expect(space.isSettled)
    }

    @Test func `Bytes that are on the disk already need no room`() {
        let space = DiskSpace("/full", free: { _ in 0 }) { Self.gibibyte }
        #expect(space.complaint(progress(Self.gibibyte)) == nil)
        #expect(space.isSettled)
    }

    @Test func `A disk that does not tell its size is not full`() {
        #expect(DiskSpace("/full", free: { _ in nil }) { 0 }.complaint(progress(5 * Self.gibibyte)) == nil)
    }
}
