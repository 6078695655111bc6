import Foundation

extension Operation {
    /// Whether code other than Foundation may observe the properties of an operation.
    ///
    /// On Linux only Foundation does. It observes only `isFinished`, and nothing before the change.
    static var hasObservers: Bool {
        #if canImport(ObjectiveC)
            true
        #else
            false
        #endif
    }

    /// Whether operations keep unsafe pointers to those that depend on them, as Foundation on Linux does.
    static var keepsUnsafeDependencies: Bool { !hasObservers }
}
