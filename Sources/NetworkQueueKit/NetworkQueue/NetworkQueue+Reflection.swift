/// A text without what users' code keeps for itself.
extension NetworkQueue: CustomReflectable {
    /// What `dump` shows: the requests, and the settings by which they run.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: requestQueue.reflectedChildren.map { ($0.key, $0.value) } + [
                ("batchSettings", state.withLock { $0.settings })
            ], displayStyle: .class)
    }
}
