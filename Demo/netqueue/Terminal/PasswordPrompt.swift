import Foundation

/// Asks for a password at the terminal, even if the standard streams are redirected.
///
/// Not with `getpass`, which on Linux disables the keys that send signals, so that Ctrl-C would do nothing.
enum PasswordPrompt {
    /// The data of the signal handlers, which must not wait for a lock.
    private struct Terminal {
        var descriptor: Int32 = -1
        var settings = termios()
    }

    /// Unsafe: only `ask` writes it, before the handlers are installed; then they only read it.
    nonisolated(unsafe) private static let terminal = {
        let terminal = UnsafeMutablePointer<Terminal>.allocate(capacity: 1)
        terminal.initialize(to: Terminal())
        return terminal
    }()

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Shows `prompt` and reads a line without echo; returns `nil` if there is no terminal or it has been closed.
    static func ask(_ prompt: String) -> String? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        terminal.pointee = Terminal(descriptor: descriptor, settings: settings)
        let earlier = signals.map { install(handler, for: $0) }
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &settings)
            for (number, var action) in zip(signals, earlier) { sigaction(number, &action, nil) }
        }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ISIG | ICANON)
        // Disable the suspend key, because a stopped program would leave the terminal without echo.
        let none = UInt8(truncatingIfNeeded: fpathconf(descriptor, Int32(_PC_VDISABLE)))
        withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VSUSP)] = none }
        // TCSAFLUSH discards what was typed before, which is not part of the password.
        guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else { return nil }
        write(prompt, to: descriptor)
        let line = readLine(from: descriptor)
        // The user's line feed was not echoed.
        write("\n", to: descriptor)
        return line
    }

    /// Installs a handler, unless the signal is ignored; returns the earlier action.
    private static func install(_ handler: @escaping @convention(c) (Int32) -> Void, for number: Int32) -> sigaction {
        var earlier = sigaction()
        sigaction(number, nil, &earlier)
        if earlier.isIgnoring { return earlier }
        var action = sigaction(handler)
        sigaction(number, &action, nil)
        return earlier
    }

    /// Calls only async-signal-safe functions.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        tcsetattr(terminal.pointee.descriptor, TCSAFLUSH, &terminal.pointee.settings)
        _ = Foundation.write(terminal.pointee.descriptor, CrashSignals.lineBreak.utf8Start, 1)
        signal(number, SIG_DFL)
        // The signal is blocked until the handler returns.
        raise(number)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        _ = Array(text.utf8).withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    }

    private static func readLine(from descriptor: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }
}
