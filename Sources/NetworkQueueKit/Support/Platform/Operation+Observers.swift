import Foundation

extension Operation {
    /// Whether anyone but Foundation may observe the properties of an operation.
    ///
    /// On Linux only Foundation does. It looks at `isFinished` alone, and at nothing that comes before the change.
    static var hasObservers: Bool {
        #if canImport(ObjectiveC)
            true
        #else
            false
        #endif
    }

    /// Whether operations refer by an unsafe pointer to those that depend on them, as Foundation on Linux does.
    static var keepsUnsafeDependencies: Bool { !hasObservers }
}
