import Dispatch
import Foundation

/// Keeps the terminal in order when signals arrive.
struct TerminalSignals {
    private let keys: TerminalKeys?
    private let signals: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// - Parameter readsInput: Whether the standard input is data, so that keys cannot be read from it.
    init(display: any ProgressDisplay, interruption: Interruption, readsInput: Bool = false) {
        let keys = readsInput ? nil : TerminalKeys(display: display, interruption: interruption)
        self.keys = keys
        let queue = DispatchQueue(label: "netqueue.signals")
        // A shell ignores `SIGINT` and `SIGQUIT` for a job in the background of a script, and `nohup` ignores `SIGHUP`.
        // They stay ignored.
        signals = [SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH].filter { !Self.isIgnored($0) }
        sources = signals.map { number in
            // A signal that is not ignored would act before Dispatch sees it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { Self.receive(number, display, interruption, keys) }
            source.activate()
            return source
        }
    }

    /// Stops watching, just before the program ends. From now on the signals have their default action, so that they
    /// end a program that waits for the reader of a full pipe.
    func stop() {
        keys?.stop()
        for source in sources { source.cancel() }
        for number in signals { signal(number, SIG_DFL) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0 && action.isIgnoring
    }

    private static func receive(
        _ number: Int32, _ display: any ProgressDisplay, _ interruption: Interruption, _ keys: TerminalKeys?
    ) {
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
            // A full pipe may block the display and its lock.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: exit)
            display.suspend()
            exit()
        }
    }
}
