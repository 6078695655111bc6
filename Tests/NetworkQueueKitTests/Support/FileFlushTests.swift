import Foundation
import Testing

@testable import NetworkQueueKit

struct FileFlushTests {
    /// A call that fails with each of the codes in turn and then succeeds, and counts.
    private final class Script {
        var codes: [Int32]
        var count = 0
        init(_ codes: Int32...) { self.codes = codes }

        func call(_ descriptor: Int32) -> Int32 {
            count += 1
            guard !codes.isEmpty else { return 0 }
            errno = codes.removeFirst()
            return -1
        }
    }

    private func isFlushed(_ scripts: Script...) -> Bool {
        POSIXFile.synchronize(3, calls: scripts.map { $0.call })
    }

    @Test(arguments: [ENOTSUP, EINVAL, ENOTTY, EIO])
    func `Where a full flush fails, fsync follows`(code: Int32) {
        let (full, plain) = (Script(code), Script())
        #expect(isFlushed(full, plain))
        #expect(full.count == 1 && plain.count == 1)
    }

    @Test func `A full flush suffices, and is made again after an interruption`() {
        let (full, plain) = (Script(EINTR), Script())
        #expect(isFlushed(full, plain))
        #expect(full.count == 2 && plain.count == 0)
    }

    @Test func `The failure of fsync counts unless the file system knows no such thing`() {
        #expect(!isFlushed(Script(EINVAL), Script(EIO)))
        #expect(isFlushed(Script(EIO), Script(EINVAL)))
        #expect(isFlushed(Script(EROFS)) && !isFlushed(Script(ENOSPC)))
    }
}
