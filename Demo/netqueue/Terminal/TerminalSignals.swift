import Dispatch
import Foundation

/// Keeps the terminal in order when signals arrive.
struct TerminalSignals {
    private let watcher: SignalWatcher
    private let keys: TerminalKeys?

    /// - Parameter readsInput: Whether the standard input is data, so that keys cannot be read from it.
    init(display: any ProgressDisplay, interruption: Interruption, readsInput: Bool = false) {
        let keys = readsInput ? nil : TerminalKeys(display: display, interruption: interruption)
        self.keys = keys
        watcher = SignalWatcher([SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]) { number in
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
                let exit: @Sendable () -> Void = { _exit(ExitCode.signal(number).rawValue) }
                keys?.stop()
                // The cleanup takes a second for each command of the user, unless a file system hangs.
                DispatchQueue.global().asyncAfter(deadline: .now() + 5, execute: exit)
                interruption.leave()
                // A pipe that nobody reads may block the display and its lock.
                DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: exit)
                display.suspend()
                exit()
            }
        }
    }

    /// Stops watching, just before the program ends.
    func stop() {
        keys?.stop()
        watcher.stop()
    }
}
