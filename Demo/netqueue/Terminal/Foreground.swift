import Foundation

/// Tells whether the program runs in the foreground, or a shell has put it into the background (`&`).
enum Foreground {
    /// Whether the program may draw on a terminal or read from it. True for one that is not its session's terminal,
    /// because no other job of the session uses it.
    static func isOurs(_ stream: StandardStream) -> Bool { isOurs(stream.rawValue) }

    static func isOurs(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }
}
