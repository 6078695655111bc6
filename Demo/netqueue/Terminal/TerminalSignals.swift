import Foundation

/// Keeps the terminal in order when signals arrive.
struct TerminalSignals {
    private let watcher: SignalWatcher
    private let keys: TerminalKeys?

    /// - Parameter readsInput: Whether the standard input is data, so that keys cannot be read from it.
    init(display: any ProgressDisplay, interruption: Interruption, readsInput: Bool = false) {
        let keys = readsInput ? nil : TerminalKeys(display: display, interruption: interruption)
        self.keys = keys
        var numbers = [SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
        // nohup ignores SIGHUP, so that the program survives it.
        if !Self.isIgnored(SIGHUP) { numbers.append(SIGHUP) }
        watcher = SignalWatcher(numbers) { number in
            switch number {
            case SIGTSTP:
                keys?.suspend()
                display.suspend()
                // Not `kill`: another thread might take the signal, and this one would draw a frame before the stop.
                raise(SIGSTOP)
                keys?.resume()
                display.redraw()
            case SIGCONT, SIGWINCH:
                display.redraw()
            default:
                if number != SIGQUIT, interruption.receive(number) { return }
                keys?.stop()
                display.suspend()
                interruption.leave()
                _exit(ExitCode.signal(number).rawValue)
            }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0 && action.isIgnoring
    }

    /// Stops watching, just before the program ends.
    func stop() {
        keys?.stop()
        watcher.stop()
    }
}
