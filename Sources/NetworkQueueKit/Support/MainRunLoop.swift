import Dispatch
import Foundation

/// The run loop of the main thread. Code that blocks the main thread has to run it: timers, sources and the main queue
/// depend on it.
enum MainRunLoop {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The wait for a signal between two turns of the run loop. The run loop cannot wait for a semaphore, and inside a
    /// block of the main queue it does not serve that queue, so both are polled in turn.
    private static let interval: DispatchTimeInterval = .milliseconds(5)

    /// Waits for a signal. On the main thread it runs the run loop meanwhile.
    static func wait(for semaphore: DispatchSemaphore) {
        guard isCurrent else {
            semaphore.wait()
            return
        }
        _ = wait(for: semaphore, until: .distantFuture)
    }

    /// Waits for a signal until a deadline; returns whether it has come.
    static func wait(for semaphore: DispatchSemaphore, until deadline: DispatchTime) -> Bool {
        guard isCurrent else { return semaphore.wait(timeout: deadline) == .success }
        repeat {
            _ = RunLoop.main.run(mode: .default, before: Date())
            if semaphore.wait(timeout: .now() + interval) == .success { return true }
        } while DispatchTime.now() < deadline
        return false
    }

    /// Whether the calling code runs on the main queue, or on one that targets it, on any thread.
    static var isInMainQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Whether this thread is the main thread and is running the main queue. On Linux, under an asynchronous `main`,
    /// that is never so.
    private static var isCurrent: Bool {
        isInMainQueue && Thread.isMainThread
    }
}
