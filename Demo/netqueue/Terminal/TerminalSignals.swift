import Foundation

/// Keeps the terminal in order whatever signals come.
struct TerminalSignals {
    private let watcher: SignalWatcher

    init(display: any ProgressDisplay, interruption: Interruption) {
        watcher = SignalWatcher([SIGINT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH]) { number in
            switch number {
            case SIGTSTP:
                display.suspend()
                kill(getpid(), SIGSTOP)
                display.redraw()
            case SIGCONT, SIGWINCH:
                display.redraw()
            default:
                guard !interruption.receive(number) else { return }
                display.suspend()
                interruption.leave()
                _exit(ExitCode.signal(number).rawValue)
            }
        }
    }

    /// Ends the watch, when the program is about to end.
    func stop() {
        watcher.stop()
    }
}
