import Foundation

/// The size of the terminal on the standard error.
struct TerminalSize: Hashable, Sendable {
    let columns: Int
    let rows: Int

    /// The current size: from the terminal, otherwise from `COLUMNS` and `LINES`, otherwise 80 × 24.
    static var current: TerminalSize {
        var size = winsize()
        if ioctl(StandardStream.error.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
            return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
        }
        func number(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap {
                $0 > 0 ? min($0, Int(UInt16.max)) : nil
            }
        }
        return TerminalSize(columns: number("COLUMNS") ?? 80, rows: number("LINES") ?? 24)
    }

    /// The number of columns of the standard output; unlimited if it is not a terminal.
    static var outputColumns: Int {
        var size = winsize()
        guard ioctl(StandardStream.output.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
        return Int(size.ws_col)
    }
}
