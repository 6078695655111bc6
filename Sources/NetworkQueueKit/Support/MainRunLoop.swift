import Dispatch
import Foundation

/// The run loop of the main thread, which code that blocks that thread has to run: timers, sources and the main queue
/// depend on it.
enum MainRunLoop {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// How long the run loop is left alone while nothing is signalled. It cannot wait for a semaphore, and inside a
    /// block of the main queue it does not serve that queue, so that one has to look in turns.
    private static let interval: DispatchTimeInterval = .milliseconds(5)

    /// Waits for a signal; on the main thread with the run loop running.
    static func wait(for semaphore: DispatchSemaphore) {
        guard isCurrent else {
            semaphore.wait()
            return
        }
        _ = wait(for: semaphore, until: .distantFuture)
    }

    /// Waits for a signal until a time; returns whether it has come.
    static func wait(for semaphore: DispatchSemaphore, until deadline: DispatchTime) -> Bool {
        guard isCurrent else { return semaphore.wait(timeout: deadline) == .success }
        repeat {
            _ = RunLoop.main.run(mode: .default, before: Date())
            if semaphore.wait(timeout: .now() + interval) == .success { return true }
        } while DispatchTime.now() < deadline
        return false
    }

    /// Whether the calling code runs in the main queue, or in one that targets it, on whatever thread.
    static var isInMainQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Whether the main queue belongs to this thread and this thread is the main one. On Linux, under an asynchronous
    /// `main`, no thread is both.
    private static var isCurrent: Bool {
        isInMainQueue && Thread.isMainThread
    }
}
