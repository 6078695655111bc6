import Dashboard
import NetworkQueueKit

/// Changes the speed limit of a job by a quarter, as keys ask for.
final class SpeedControl: Sendable {
    private struct State {
        /// The measured speed in bytes per second.
        var rate: Double?
        /// The limit that was set last.
        var limit: Int?
    }

    /// Slow enough for a line in use by others. Steps from less would hardly be noticed.
    private static let lowest = 1024.0

    private let state = Locked(State())

    /// Notes the measured speed.
    func note(_ rate: Double?) { state.withLock { $0.rate = rate } }

    /// The limit that follows on `limit`, or on the measured speed without one; `nil` if neither is known.
    func next(after limit: Int?, isFaster: Bool) -> Int? {
        state.withLock { state in
            // Of a server that has fallen silent, next to nothing is measured.
            let measured = state.rate.flatMap { $0 > 0 ? max($0, Self.lowest) : nil }
            guard let rate = limit.map(Double.init) ?? measured else { return nil }
            let changed = isFaster ? (rate * 1.25).rounded(.up) : max(rate * 0.75, min(rate, Self.lowest))
            state.limit = Int(min(changed, 0x1p60))
            return state.limit
        }
    }

    /// What the display says of a limit that was set by keys.
    var remarks: [String] {
        state.withLock { state in state.limit.map { ["speed limited to \(ByteCount.rate(Double($0)))"] } ?? [] }
    }
}
