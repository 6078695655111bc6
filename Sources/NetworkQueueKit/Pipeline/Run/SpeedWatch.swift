import Foundation

/// Measures how fast the content of a run moves, and reports an interval in which it is slower than the minimum.
///
/// Time counts from the first to the last byte of a content, except while something other than the server holds it.
final class SpeedWatch: Sendable {
    /// What holds the content.
    struct Holds: OptionSet {
        let rawValue: UInt8

        /// The bandwidth limit of the queue.
        static let pacer = Holds(rawValue: 1)
        /// The user's sink, or a pause during which its exchange is held.
        static let reader = Holds(rawValue: 2)
        /// The rates of the queue.
        static let turn = Holds(rawValue: 4)
    }

    private struct State {
        /// Whether the first byte of a content has moved, but not the last.
        var isMoving = false
        var holds: Holds = []
        /// The time of the interval that counted before `start`.
        var counted = Duration.zero
        /// Since when time counts; `nil` while it does not.
        var start: Duration?
        var byteCount: Int64 = 0
        var call: (any ScheduledCall)?
        /// The bytes of an interval that was too slow.
        var slowByteCount: Int64?
        var isLifted = false
        /// Counts the content of a file that several exchanges fetch.
        var source: (@Sendable () -> Int64)?
        var sourceStart: Int64 = 0
        var onSlow: (@Sendable () -> Void)?

        mutating func end() {
            isMoving = false
            holds = []
            counted = .zero
            byteCount = 0
            source = nil
        }
    }

    private let minimum: Int
    private let interval: Duration
    private let timekeeper: any Timekeeper
    private let state = Guarded(State())

    private init(bytesPerSecond minimum: Int, over interval: Duration, _ timekeeper: any Timekeeper) {
        self.minimum = minimum
        self.interval = interval.bounded
        self.timekeeper = timekeeper
    }

    /// The watch over a request; `nil` without a minimum. Not an initializer that fails, which would allocate first.
    static func watch(_ request: NetworkRequest, in environment: RunEnvironment) -> SpeedWatch? {
        guard let minimum = request.minBytesPerSecond ?? environment.defaults.minBytesPerSecond, minimum > 0,
            case let interval = environment.defaults.minSpeedInterval, interval > .zero, !request.isSizeProbe
        else { return nil }
        return SpeedWatch(bytesPerSecond: minimum, over: interval, environment.timekeeper)
    }

    /// Sets what to do once an interval was too slow. Called on any thread.
    func start(_ onSlow: @escaping @Sendable () -> Void) { state.withLock { $0.onSlow = onSlow } }

    /// The mean speed of the interval that was too slow; `nil` if there was none in this attempt.
    var slowSpeed: Double? { state.withLock { $0.slowByteCount }.map { Double($0) / interval.seconds } }

    /// Counts content that has moved.
    func note(_ byteCount: Int64) {
        guard byteCount > 0 else { return }
        change { state in
            state.isMoving = true
            state.byteCount = state.byteCount.addingSaturated(byteCount)
        }
    }

    /// Counts from now on what all exchanges with a file have received.
    func follow(_ source: @escaping @Sendable () -> Int64) {
        let count = source()
        state.withLock { ($0.source, $0.sourceStart) = (source, count) }
    }

    /// Notes that something holds the content, or no longer does.
    func set(_ hold: Holds, _ isHeld: Bool) {
        change { if isHeld { $0.holds.insert(hold) } else { $0.holds.remove(hold) } }
    }

    /// Notes the last byte of a content.
    func stop() { change { $0.end() } }

    /// Begins the next attempt.
    func beginAttempt() {
        change { state in
            state.end()
            state.slowByteCount = nil
        }
    }

    /// Lifts the minimum for the rest of the run.
    func lift() { change { $0.isLifted = true } }

    /// Ends the watch.
    func cancel() { change { $0.onSlow = nil } }

    private func change(_ body: (inout State) -> Void) {
        let now = timekeeper.now
        let (former, due) = state.withLock { state -> ((any ScheduledCall)?, Duration?) in
            let wasCounting = state.start != nil
            body(&state)
            let counts = state.isMoving && state.holds.isEmpty && !state.isLifted && state.onSlow != nil
            guard counts != wasCounting else { return (nil, nil) }
            if let start = state.start { state.counted += now - start }
            if !state.isMoving { state.counted = .zero }
            state.start = counts ? now : nil
            return (state.call.take(), counts ? now + max(interval - state.counted, .zero) : nil)
        }
        former?.cancel()
        if let due { schedule(at: due, since: now) }
    }

    private func schedule(at due: Duration, since start: Duration) {
        let call = timekeeper.schedule(at: due) { [weak self] in self?.ring(since: start) }
        let isOver = state.withLock { state in
            if state.start == start { state.call = call }
            return state.start != start
        }
        if isOver { call.cancel() }
    }

    /// The end of an interval, unless counting has been interrupted.
    private func ring(since start: Duration) {
        let source = state.withLock { $0.start == start ? $0.source : nil }
        let received = source?()
        let now = max(timekeeper.now, start)
        let (isOver, onSlow) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard state.start == start else { return (true, nil) }
            let byteCount = received.map { $0 - state.sourceStart } ?? state.byteCount
            let isSlow = Double(byteCount) < Double(minimum) * interval.seconds
            if isSlow { state.slowByteCount = byteCount }
            if let received { state.sourceStart = received }
            state.byteCount = 0
            state.counted = .zero
            state.start = isSlow ? nil : now
            if isSlow { state.isMoving = false }
            return (isSlow, isSlow ? state.onSlow : nil)
        }
        onSlow?()
        if !isOver { schedule(at: now + interval, since: now) }
    }
}

/// The bandwidth limit of an exchange whose speed is watched: time that passes because of the limit does not count.
final class WatchedPacer: ExchangePacer {
    private let pacer: any ExchangePacer
    private let watch: SpeedWatch

    init(_ pacer: any ExchangePacer, _ watch: SpeedWatch) {
        self.pacer = pacer
        self.watch = watch
    }

    var portion: Int { pacer.portion }

    func charge(_ byteCount: Int) -> Int64 { pacer.charge(byteCount) }

    func delay(until mark: Int64) -> Duration {
        let delay = pacer.delay(until: mark)
        watch.set(.pacer, delay > .zero)
        return delay
    }
}
