import Foundation

/// The C libraries of Apple and Linux name the handler's field differently.
extension sigaction {
    /// Creates an action that calls `handler` when a signal arrives.
    init(_ handler: @escaping @convention(c) (Int32) -> Void) {
        self.init()
        #if canImport(Darwin)
            __sigaction_u.__sa_handler = handler
        #else
            __sigaction_handler.sa_handler = handler
        #endif
    }

    /// Whether the signal is ignored.
    var isIgnoring: Bool {
        #if canImport(Darwin)
            let handler = __sigaction_u.__sa_handler
        #else
            let handler = __sigaction_handler.sa_handler
        #endif
        // C functions cannot be compared, so compare their addresses; `SIG_IGN` is the number 1.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
