import Dashboard
import NetworkQueueKit

/// Keeps a frame at the bottom of a terminal, with one timer and one write per frame.
final class LiveDisplay: ProgressDisplay {
    /// The time between two frames.
    private static let interval = Duration.milliseconds(100)

    private struct State {
        var painter = FramePainter()
        var log: [String] = []
        var model: (@Sendable () -> DashboardModel)?
        var ticker: Ticker?
        var isSuspended = false
        /// Whether a frame has been drawn, which changes the terminal's state.
        var hasDrawn = false
        var hints: [String] = []
        var tick = 0
        var latest = ""
    }

    private let traits: TerminalTraits
    private let time: LogTime
    private let state = Locked(State())

    init(traits: TerminalTraits, time: LogTime = LogTime()) {
        (self.traits, self.time) = (traits, time)
    }

    func begin(title: String, model: @escaping @Sendable () -> DashboardModel) {
        state.withLock { state in
            state.model = model
            state.ticker = Ticker(interval: Self.interval) { [weak self] in self?.tick() }
        }
    }

    var isLive: Bool { true }

    func hint(_ texts: [String]) { state.withLock { $0.hints = texts } }

    func log(_ line: String) {
        let line = time.line(line)
        state.withLock { state in
            // Without a frame, the line can be written directly.
            if state.ticker == nil || !Foreground.isOurs(.error) {
                StandardStream.error.write(line + "\n")
            } else {
                state.log.append(line)
            }
        }
    }

    func end(_ model: DashboardModel?) {
        state.withLock { state in
            if let model, Foreground.isOurs(.error) {
                paint(model, &state)
                StandardStream.error.write(state.painter.leave())
            } else {
                clear(&state)
            }
            state.model = nil
            state.ticker = nil
        }
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
        // Call the model outside the lock, because it queries the queue. The final frame is drawn by `end`, once.
        guard Foreground.isOurs(.error), var model = state.withLock({ $0.isSuspended ? nil : $0.model })?(),
            model.progress.phase != .finished
        else { return }
        state.withLock { state in
            // Check again: the program may have been stopped since and be in the background now.
            guard state.model != nil, !state.isSuspended, Foreground.isOurs(.error) else { return }
            state.tick += 1
            model.tick = state.tick
            model.hints = state.hints
            paint(model, &state)
        }
    }

    private func paint(_ model: DashboardModel, _ state: inout State) {
        if !state.hasDrawn {
            state.hasDrawn = true
            CrashSignals.watch()
            // An earlier run may have been killed in the middle of a frame.
            StandardStream.error.write(FramePainter.reset)
        }
        let canvas = self.canvas
        let output = state.painter.paint(model.frame(on: canvas), log: state.log, on: canvas)
        state.log = []
        guard output != state.latest else { return }
        state.latest = output
        StandardStream.error.write(output)
    }

    private func clear(_ state: inout State) {
        guard state.hasDrawn, Foreground.isOurs(.error) else {
            for line in state.log { StandardStream.error.write(line + "\n") }
            state.log = []
            return
        }
        StandardStream.error.write(state.painter.clear(log: state.log, on: canvas))
        state.log = []
        state.latest = ""
    }

    private var canvas: Canvas {
        let size = TerminalSize.current
        return Canvas(
            columns: size.columns, rows: size.rows, charset: traits.charset, hasColor: traits.hasColor,
            breaksLines: traits.breaksLines)
    }
}
