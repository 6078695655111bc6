import Foundation

/// Gives a terminal back that a signal would otherwise leave without a cursor: of a crash, and of whatever else ends a
/// process.
enum CrashSignals {
    private static let numbers = [
        SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM,
        SIGVTALRM,
        SIGPROF,
    ]
    /// Behind what stands there: the cursor is shown, lines wrap, and letters have no colour.
    static let reset: StaticString = "\r\n\u{1B}[?7h\u{1B}[?25h\u{1B}[0m"
    static let lineBreak: StaticString = "\n"
    /// What was to be done about each of them before.
    ///
    /// Unsafe: written before the handler is in place, and only read by it.
    nonisolated(unsafe) private static let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    /// From now on these signals reset the terminal before they do what they did.
    static func watch() {
        for number in numbers {
            var action = sigaction(handler)
            earlier.advanced(by: Int(number)).initialize(to: sigaction())
            sigaction(number, &action, earlier.advanced(by: Int(number)))
        }
    }

    /// Calls nothing that a signal's handler may not call.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        _ = write(2, reset.utf8Start, reset.utf8CodeUnitCount)
        TerminalKeys.restore()
        sigaction(number, earlier.advanced(by: Int(number)), nil)
        // It is blocked until this returns.
        raise(number)
    }
}
