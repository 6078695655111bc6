import Foundation
import NetworkQueueTesting
import TestSupport

@testable import NetworkQueueKit

/// Stands for the disk: writes down each flush, makes it fail, or holds it.
final class FlushWitness: Sendable {
    /// The flushes, and what a test adds, in order.
    let log = Gathering<String>()
    private let code = Guarded<Int32>(0)
    private let door = DispatchSemaphore(value: 0)
    private let isHeld: Bool

    /// - Parameters:
    ///   - hasVolumes: whether the volume may be flushed as a whole.
    ///   - isHeld: whether each flush waits for ``open()``.
    init(hasVolumes: Bool = true, isHeld: Bool = false, in queue: some CoreQueue) {
        self.isHeld = isHeld
        let calls = FlushCalls(
            flushFile: { [self] _ in note("file") }, flushVolume: { [self] _ in note("volume") },
            canFlushVolume: { _ in hasVolumes })
        queue.loop.access { state in
            let former = state.upkeep.environment
            state.upkeep.environment = RunEnvironment(
                transport: former.transport, timekeeper: former.timekeeper, pacer: former.pacer,
                defaults: former.defaults, storedFiles: StoredFiles(unflushed: UnflushedFiles(calls: calls)))
        }
    }

    /// Makes every flush fail with this code from now on; 0 makes it succeed.
    func fail(with code: Int32) { self.code.withLock { $0 = code } }

    /// Lets one held flush go on.
    func open() { door.signal() }

    private func note(_ text: String) -> Int32 {
        log.add(text)
        if isHeld { door.wait() }
        return code.withLock { $0 }
    }
}
