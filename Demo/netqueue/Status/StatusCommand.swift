import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue status FILE|DIR…`: one bar over the jobs of several machines.
struct StatusCommand {
    let options: Options

    func run() async throws(UsageError) -> Ending {
        let traits = TerminalTraits.current
        let areTerminals = StandardStream.output.isTerminal && StandardStream.error.isTerminal
        let wantsBar = options.mode == .always || options.mode == .auto && areTerminals
        let isLive = wantsBar && traits.canMoveCursor
        let display: any ProgressDisplay = isLive ? LiveDisplay(traits: traits) : SilentDisplay()
        let board = Locked(StatusBoard(isOnce: !isLive))
        let readings = StatusReader.read(options.operands)
        guard readings.contains(where: \.reading.isReadable) else { throw UsageError(complaint(readings)) }
        board.withLock { $0.take(readings, now: .now) }
        let told = Locked(Set<ByteText>())
        tell(of: board, told, on: display)
        guard isLive else { return board.withLock { ending($0, charset: traits.charset) } }
        let interruption = Interruption()
        let signals = TerminalSignals(display: display, interruption: interruption)
        defer { signals.stop() }
        display.begin(title: "") { board.withLock { $0.model } }
        let watch = Task {
            while !board.withLock({ $0.isOver }) {
                guard (try? await Task.sleep(for: StatusFile.interval)) != nil else { return }
                let readings = StatusReader.read(options.operands)
                board.withLock { $0.take(readings, now: .now) }
                tell(of: board, told, on: display)
            }
        }
        interruption.onFirstSignal { watch.cancel() }
        await watch.value
        let final = board.withLock { $0 }
        display.end(interruption.signal == nil ? final.model : nil)
        if let signal = interruption.signal { return Ending(code: .signal(signal)) }
        return Ending(code: final.exitCode, output: lines(final.model.progress.phase == .finished ? final.notes : []))
    }

    private func complaint(_ readings: [(path: String, reading: StatusReader.Reading)]) -> String {
        guard case (let path, .unreadable(let text))? = readings.first else {
            return "no status file (*\(StatusFile.suffix)) in “\(options.operands[0])”"
        }
        return "“\(path)” \(text)"
    }

    /// Names each file that has no status once.
    private func tell(of board: Locked<StatusBoard>, _ told: Locked<Set<ByteText>>, on display: any ProgressDisplay) {
        for (path, text) in board.withLock({ $0.faults })
        where told.withLock({ $0.insert(ByteText(path)).inserted }) {
            display.log("netqueue: “\(path)” \(text)".withoutControls().shortened(to: 2000).fitting(.current))
        }
    }

    /// Everything at once: the lines of a frame with room for all machines, and the total as text.
    private func ending(_ board: StatusBoard, charset: Canvas.Charset) -> Ending {
        let model = board.model
        let canvas = Canvas(
            columns: TerminalSize.current.columns, rows: 2 * model.items.count + 20, charset: charset)
        let above = model.progress.phase == .finished ? board.notes : model.frame(on: canvas).plain.dropLast()
        return Ending(code: board.exitCode, output: lines(above + [model.logLine(charset: charset)]))
    }

    private func lines(_ lines: [String]) -> String {
        lines.map { $0.withoutControls() + "\n" }.joined().fitting(.current)
    }
}

extension StatusReader.Reading {
    fileprivate var isReadable: Bool { if case .unreadable = self { false } else { true } }
}
