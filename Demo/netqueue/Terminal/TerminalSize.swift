import Foundation

/// The size of the terminal on the standard error.
struct TerminalSize: Hashable, Sendable {
    let columns: Int
    let rows: Int

    /// The current size: from the terminal, otherwise from `COLUMNS` and `LINES`, otherwise 80 × 24.
    static var current: TerminalSize {
        if let size = size(of: .error), size.rows > 0 { return size }
        func number(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap {
                $0 > 0 ? min($0, Int(UInt16.max)) : nil
            }
        }
        return TerminalSize(columns: number("COLUMNS") ?? 80, rows: number("LINES") ?? 24)
    }

    /// The number of columns of the standard output; unlimited if it is not a terminal.
    static var outputColumns: Int { size(of: .output)?.columns ?? .max }

    private static func size(of stream: StandardStream) -> TerminalSize? {
        var size = winsize()
        guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
