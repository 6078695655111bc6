import NetworkQueueKit
import TestSupport

/// A trigger that fires when the test says so, and counts who watches.
final class ScriptedTrigger: EarlyRetryTrigger {
    private struct Token: EarlyRetryToken {
        let owner: ScriptedTrigger
        let number: Int

        func cancel() {
            owner.cancellations.add(number)
            let fire = owner.fires.withLock { $0.removeValue(forKey: number) }
            withExtendedLifetime(fire) {}
        }
    }

    /// The contexts of the waits that it was asked to watch.
    let contexts = Gathering<RetryWaitContext>()
    /// The tokens that were cancelled, by the numbers of their waits.
    let cancellations = Gathering<Int>()
    private let fires = Guarded<[Int: @Sendable () -> Void]>([:])
    private let latest = Guarded(0)
    private let firesInside: Bool

    /// - Parameter firesInside: whether it fires inside `watch` already.
    init(firesInside: Bool = false) {
        self.firesInside = firesInside
    }

    /// How many waits are being watched.
    var watchCount: Int { fires.withLock { $0.count } }

    /// What would fire now.
    var pendingFires: [@Sendable () -> Void] { fires.withLock { Array($0.values) } }

    func fire() {
        for fire in pendingFires { fire() }
    }

    func watch(_ wait: RetryWaitContext, fire: @escaping @Sendable () -> Void) -> any EarlyRetryToken {
        let number = latest.withLock { latest in
            latest += 1
            return latest
        }
        fires.withLock { $0[number] = fire }
        if firesInside { fire() }
        contexts.add(wait)
        return Token(owner: self, number: number)
    }
}
