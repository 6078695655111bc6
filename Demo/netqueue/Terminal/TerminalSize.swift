import Foundation

/// How large the terminal behind the standard error is.
struct TerminalSize: Hashable, Sendable {
    let columns: Int
    let rows: Int

    /// As it is now: what the terminal says, else `COLUMNS` and `LINES`, else 80 × 24.
    static var current: TerminalSize {
        var size = winsize()
        if ioctl(StandardStream.error.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
            return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
        }
        func number(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        return TerminalSize(columns: number("COLUMNS") ?? 80, rows: number("LINES") ?? 24)
    }

    /// How many columns a line on the standard output may take; as many as it needs where that is no terminal.
    static var outputColumns: Int {
        var size = winsize()
        guard ioctl(StandardStream.output.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
        return Int(size.ws_col)
    }
}
