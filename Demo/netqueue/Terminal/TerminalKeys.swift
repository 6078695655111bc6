import Foundation

/// Reads keys as they are pressed while a frame is drawn: `q` cancels the run like Ctrl-C, `p` pauses it, `r` resumes it,
/// and `+` and `-` change its speed.
///
/// The terminal's settings are restored whenever the program stops or ends.
final class TerminalKeys: Sendable {
    private enum State {
        case active, suspended, stopped
    }

    /// The data of the crash handler, which must not wait for a lock.
    private struct Terminal {
        var isChanged = false
        var settings = termios()
    }

    /// Unsafe: written under the lock of `state`, except by the crash handler, after which nothing else runs.
    nonisolated(unsafe) private static let terminal = {
        let terminal = UnsafeMutablePointer<Terminal>.allocate(capacity: 1)
        terminal.initialize(to: Terminal())
        return terminal
    }()

    /// The key hints at the end of the total line. They are short, because they are left out if there is no room.
    static func hints(_ interruption: Interruption) -> [String] {
        if interruption.isPaused { return ["paused; r resumes", "q quits"] }
        return ["q quits"] + (interruption.canPause ? ["p pauses"] : [])
            + (interruption.canChangeSpeed ? ["+/- speed"] : [])
    }

    private static let descriptor = STDIN_FILENO
    /// The polling interval in milliseconds, after which the loop notices that the terminal is the program's again or
    /// that it must stop.
    private static let pause: Int32 = 200

    private let state = Locked(State.active)
    private let display: any ProgressDisplay
    private let interruption: Interruption

    /// Starts reading; returns `nil` if the standard input is not a terminal or the display is not live.
    init?(display: any ProgressDisplay, interruption: Interruption) {
        guard display.isLive, isatty(Self.descriptor) == 1 else { return nil }
        self.display = display
        self.interruption = interruption
        Thread.detachNewThread { [self] in read() }
    }

    /// Restores the terminal's settings until ``resume()``.
    func suspend() { give(.suspended) }

    func resume() {
        state.withLock { state in
            if state == .suspended { state = .active }
        }
    }

    /// Restores the terminal's settings and stops reading for good.
    func stop() { give(.stopped) }

    private func give(_ next: State) {
        state.withLock { state in
            if state != .stopped { state = next }
            Self.restore()
        }
    }

    /// Restores the terminal's settings. Calls only async-signal-safe functions.
    static func restore() {
        // In the background, the shell has set the terminal for itself, and a change would stop this process.
        guard terminal.pointee.isChanged, Foreground.isOurs(descriptor) else { return }
        tcsetattr(descriptor, TCSANOW, &terminal.pointee.settings)
        terminal.pointee.isChanged = false
    }

    private func read() {
        var entry = pollfd(fd: Self.descriptor, events: Int16(POLLIN), revents: 0)
        while let mayRead = take() {
            display.hint(mayRead ? Self.hints(interruption) : [])
            guard mayRead else {
                usleep(UInt32(Self.pause) * 1000)
                continue
            }
            guard poll(&entry, 1, Self.pause) > 0, take() == true else { continue }
            var keys = [UInt8](repeating: 0, count: 1024)
            let count = Foundation.read(Self.descriptor, &keys, keys.count)
            guard count > 0 else { return }
            switch Self.key(keys[..<count]) {
            case "q": _ = interruption.receive(SIGINT)
            case "p": interruption.setPaused(true)
            case "r": interruption.setPaused(false)
            case "+": interruption.changeSpeed(isFaster: true)
            case "-": interruption.changeSpeed(isFaster: false)
            default: break
            }
        }
    }

    /// The character, in lower case, if it was read alone; `nil` if it is part of a command typed ahead.
    static func key(_ keys: some Collection<UInt8>) -> Character? {
        guard let key = keys.first, keys.count == 1 else { return nil }
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(key)
        return Character(Unicode.Scalar(isCapital ? key | 0x20 : key))
    }

    /// Changes the terminal's settings if it is the program's; returns whether it is, or `nil` if reading must end.
    private func take() -> Bool? {
        state.withLock { state in
            guard state != .stopped else { return nil }
            guard state == .active, Foreground.isOurs(Self.descriptor) else {
                Self.terminal.pointee.isChanged = false
                return false
            }
            if Self.terminal.pointee.isChanged { return true }
            var settings = termios()
            guard tcgetattr(Self.descriptor, &settings) == 0 else { return nil }
            Self.terminal.pointee.settings = settings
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            withUnsafeMutableBytes(of: &settings.c_cc) { characters in
                (characters[Int(VMIN)], characters[Int(VTIME)]) = (1, 0)
            }
            Self.terminal.pointee.isChanged = true
            tcsetattr(Self.descriptor, TCSANOW, &settings)
            return true
        }
    }
}
