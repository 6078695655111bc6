import Dashboard
import NetworkQueueKit

/// Writes plain lines to files, pipes and terminals that cannot move the cursor.
final class PlainDisplay: ProgressDisplay {
    private struct State {
        var log: PlainLog
        var ticker: Ticker?
    }

    private let state: Locked<State>
    private let start = ContinuousClock.now
    private let time: LogTime

    init(charset: Canvas.Charset, time: LogTime) {
        self.time = time
        state = Locked(State(log: PlainLog(charset: charset)))
    }

    func begin(title: String, model: @escaping @Sendable () -> DashboardModel) {
        state.withLock { state in
            log(state.log.begin(title: title, now: now))
            state.ticker = Ticker(interval: .seconds(1)) { [weak self] in self?.tick(model) }
        }
    }

    func log(_ line: String) {
        StandardStream.error.write(time.line(line) + "\n")
    }

    var tellsOfRetries: Bool { true }

    func end(_ model: DashboardModel?) {
        state.withLock { state in
            if let model { log(state.log.end(model)) }
            state.ticker = nil
        }
    }

    private var now: Duration { start.duration(to: .now) }

    private func tick(_ model: () -> DashboardModel) {
        let model = model()
        state.withLock { state in
            guard state.ticker != nil, let line = state.log.line(for: model, now: now) else { return }
            log(line)
        }
    }
}
