import Foundation

/// Keeps the terminal in order whatever signals come.
struct TerminalSignals {
    private let watcher: SignalWatcher
    private let keys: TerminalKeys?

    /// - Parameter readsInput: whether the standard input is content, and not the user's keys.
    init(display: any ProgressDisplay, interruption: Interruption, readsInput: Bool = false) {
        let keys = readsInput ? nil : TerminalKeys(display: display, interruption: interruption)
        self.keys = keys
        var numbers = [SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
        // With nohup the program is to live on.
        if !Self.isIgnored(SIGHUP) { numbers.append(SIGHUP) }
        watcher = SignalWatcher(numbers) { number in
            switch number {
            case SIGTSTP:
                keys?.suspend()
                display.suspend()
                // Not `kill`, which may have another thread take the signal: then this one would draw a frame before
                // the stop.
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

    /// Ends the watch, when the program is about to end.
    func stop() {
        keys?.stop()
        watcher.stop()
    }
}
