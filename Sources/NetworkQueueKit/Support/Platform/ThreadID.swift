import Foundation

/// Identifies a thread.
struct ThreadID: Equatable, Sendable {
    private let value: UInt

    static var current: ThreadID {
        #if canImport(Darwin)
            ThreadID(value: UInt(bitPattern: pthread_self()))
        #else
            ThreadID(value: UInt(pthread_self()))
        #endif
    }
}
