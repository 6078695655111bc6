import Foundation

/// Whether a shell has put the program into the background (`&`).
enum Foreground {
    /// Whether the program may draw on a terminal, or read from it: one that is not its session's belongs to nobody
    /// else.
    static func isOurs(_ stream: StandardStream) -> Bool { isOurs(stream.rawValue) }

    static func isOurs(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }
}
