import NetworkQueueKit
import TestSupport

/// A pacer in the test's hands.
final class ManualPacer: ExchangePacer {
    private struct State {
        var charged = 0
        /// What has been allowed in all; at first nothing, not even to begin.
        var allowed = -1
        var largestCharge = 0
    }

    let portion: Int
    private let state = Guarded(State())
    private let refusals = Gathering<Int>()
    private let charges = Gathering<Int>()

    init(portion: Int) {
        self.portion = portion
    }

    /// The sum of all that was moved.
    var charged: Int { state.withLock { $0.charged } }
    var largestCharge: Int { state.withLock { $0.largestCharge } }

    func charge(_ byteCount: Int) -> Int64 {
        let charged = state.withLock { state in
            state.charged += byteCount
            state.largestCharge = max(state.largestCharge, byteCount)
            return state.charged
        }
        if byteCount > 0 { charges.add(charged) }
        return Int64(charged)
    }

    func delay(until mark: Int64) -> Duration {
        let isAllowed = state.withLock { mark <= $0.allowed }
        if isAllowed { return .zero }
        refusals.add(Int(mark))
        return .milliseconds(1)
    }

    /// Lets those move on whose mark is `count` or less.
    func allow(_ count: Int) {
        state.withLock { $0.allowed = count }
    }

    /// Waits until a transfer has been refused that had moved everything up to `count`.
    func waitForRefusal(of count: Int) async {
        var seen = 0
        while true {
            let marks = await refusals.wait(count: seen + 1)
            if marks[seen...].contains(count) { return }
            seen = marks.count
        }
    }

    /// Waits until more than `count` bytes have been moved, and returns how many.
    func waitForCharge(above count: Int) async -> Int {
        var seen = 0
        while true {
            let sums = await charges.wait(count: seen + 1)
            if let sum = sums.last, sum > count { return sum }
            seen = sums.count
        }
    }
}
