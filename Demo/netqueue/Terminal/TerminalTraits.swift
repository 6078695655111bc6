import Dashboard
import Foundation

/// The terminal's capabilities according to the environment.
struct TerminalTraits: Hashable, Sendable {
    /// Whether the cursor can be moved.
    let canMoveCursor: Bool
    let hasColor: Bool
    let charset: Canvas.Charset
    /// Whether the terminal re-wraps lines when it becomes too narrow for them.
    let breaksLines: Bool

    /// The traits of the running program's standard error.
    static let current = TerminalTraits(
        environment: ProcessInfo.processInfo.environment, isTerminal: StandardStream.error.isTerminal)

    /// Derives the traits from `NO_COLOR`, `CLICOLOR_FORCE`, `TERM` and the locale's variables.
    init(environment: [String: String], isTerminal: Bool) {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let isDumb = value("TERM") == "dumb"
        canMoveCursor = !isDumb
        // The consoles, GNU screen, rxvt and the original xterm cut lines off. Many others call themselves xterm, but
        // only the original sets XTERM_VERSION. tmux re-wraps lines, but programs in it inherit these variables.
        let kind = value("TERM")?.prefix { $0 != "-" && $0 != "." }
        breaksLines =
            value("TMUX") != nil
            || !["linux", "vt100", "vt220", "screen", "rxvt", "cons25"].contains(kind ?? "")
                && value("XTERM_VERSION") == nil
        if value("NO_COLOR") != nil {
            hasColor = false
        } else if let force = value("CLICOLOR_FORCE"), force != "0" {
            hasColor = true
        } else {
            hasColor = isTerminal && !isDumb && value("TERM") != nil
        }
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        charset = locale.contains("utf-8") || locale.contains("utf8") ? .unicode : .ascii
    }
}
