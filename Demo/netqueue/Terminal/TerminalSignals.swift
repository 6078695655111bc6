import Foundation

/// Keeps the terminal in order whatever signals come.
struct TerminalSignals {
    private let watcher: SignalWatcher

    init(display: any ProgressDisplay, interruption: Interruption) {
        var numbers = [SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
        // With nohup the program is to live on.
        if !Self.isIgnored(SIGHUP) { numbers.append(SIGHUP) }
        watcher = SignalWatcher(numbers) { number in
            switch number {
            case SIGTSTP:
                display.suspend()
                kill(getpid(), SIGSTOP)
                display.redraw()
            case SIGCONT, SIGWINCH:
                display.redraw()
            default:
                if number != SIGQUIT, interruption.receive(number) { return }
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
        watcher.stop()
    }
}
