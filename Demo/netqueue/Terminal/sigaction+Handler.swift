import Foundation

/// Apple's and Linux's C libraries keep the handler under different names.
extension sigaction {
    /// What calls `handler` when a signal arrives.
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
        // C functions cannot be compared; both are addresses, and `SIG_IGN` is the number 1.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
