import Foundation

/// Restores the terminal if a crash or another signal ends the process; otherwise its cursor would stay hidden.
enum CrashSignals {
    private static let numbers = [
        SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM,
        SIGVTALRM,
        SIGPROF,
    ]
    /// Moves below the frame, enables wrapping, shows the cursor and resets colors.
    static let reset: StaticString = "\r\n\u{1B}[?7h\u{1B}[?25h\u{1B}[0m"
    static let lineBreak: StaticString = "\n"
    /// The earlier actions of the signals.
    ///
    /// Unsafe: written before the handler is installed; then only the handler reads it.
    nonisolated(unsafe) private static let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    /// Makes these signals restore the terminal before their earlier action.
    static func watch() {
        for number in numbers {
            var action = sigaction(handler)
            earlier.advanced(by: Int(number)).initialize(to: sigaction())
            sigaction(number, &action, earlier.advanced(by: Int(number)))
        }
    }

    /// Calls only async-signal-safe functions.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        _ = write(2, reset.utf8Start, reset.utf8CodeUnitCount)
        TerminalKeys.restore()
        sigaction(number, earlier.advanced(by: Int(number)), nil)
        // The signal is blocked until the handler returns.
        raise(number)
    }
}
