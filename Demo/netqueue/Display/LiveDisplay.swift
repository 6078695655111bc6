import Dashboard
import NetworkQueueKit

/// Keeps a frame at the bottom of a terminal: one timer, one write per frame.
final class LiveDisplay: ProgressDisplay {
    /// The time between two frames.
    private static let interval = Duration.milliseconds(100)

    private struct State {
        var painter = FramePainter()
        var log: [String] = []
        var model: (@Sendable () -> DashboardModel)?
        var ticker: Ticker?
        var isSuspended = false
        var tick = 0
        var latest = ""
    }

    private let traits: TerminalTraits
    private let state = Locked(State())

    init(traits: TerminalTraits) {
        self.traits = traits
    }

    func begin(title: String, model: @escaping @Sendable () -> DashboardModel) {
        CrashSignals.watch()
        state.withLock { state in
            // A run before this one may have been killed in the middle of a frame.
            StandardStream.error.write(FramePainter.reset)
            state.model = model
            state.ticker = Ticker(interval: Self.interval) { [weak self] in self?.tick() }
        }
    }

    func log(_ line: String) {
        state.withLock { state in
            // Without a frame there is nothing to stay above.
            if state.ticker == nil {
                StandardStream.error.write(line + "\n")
            } else {
                state.log.append(line)
            }
        }
    }

    func end(_ model: DashboardModel?) {
        let ticker = state.withLock { state in
            if let model {
                paint(model, &state)
                StandardStream.error.write(state.painter.leave())
            } else {
                clear(&state)
            }
            state.model = nil
            defer { state.ticker = nil }
            return state.ticker
        }
        ticker?.stop()
    }

    func suspend() {
        state.withLock { state in
            clear(&state)
            state.isSuspended = true
        }
    }

    func redraw() {
        state.withLock { $0.isSuspended = false }
        tick()
    }

    private func tick() {
        // The model asks the queue, so it is not asked under the lock. What the end looks like is for `end` to show, once.
        guard var model = state.withLock({ $0.isSuspended ? nil : $0.model })?(), model.progress.phase != .finished
        else { return }
        state.withLock { state in
            guard state.model != nil, !state.isSuspended else { return }
            state.tick += 1
            model.tick = state.tick
            paint(model, &state)
        }
    }

    private func paint(_ model: DashboardModel, _ state: inout State) {
        let canvas = self.canvas
        let output = state.painter.paint(model.frame(on: canvas), log: state.log, on: canvas)
        state.log = []
        guard output != state.latest else { return }
        state.latest = output
        StandardStream.error.write(output)
    }

    private func clear(_ state: inout State) {
        StandardStream.error.write(state.painter.clear(log: state.log, on: canvas))
        state.log = []
        state.latest = ""
    }

    private var canvas: Canvas {
        let size = TerminalSize.current
        return Canvas(
            columns: size.columns, rows: size.rows, charset: traits.charset, hasColour: traits.hasColour,
            breaksLines: traits.breaksLines)
    }
}
