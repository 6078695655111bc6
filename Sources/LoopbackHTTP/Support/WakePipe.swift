import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A one-shot signal that `poll` can wait for. Once signaled, it stays readable for any number of waiters.
final class WakePipe: Sendable {
    /// The descriptor that becomes readable after ``signal()``.
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Sockets.lastError }
        for end in ends {
            Sockets.closeOnExec(end)
            Sockets.setBlocking(end, false)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Ends all current and future waits. If the pipe is full, it has been signaled already.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }
}
