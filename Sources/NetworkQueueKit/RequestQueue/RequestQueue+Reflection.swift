/// Texts without what users' code keeps for itself: adapters have tokens, and a cookie storage has cookies.
extension RequestQueue: CustomReflectable {
    /// What `dump` shows: the requests, and the settings by which they run.
    public var customMirror: Mirror { Mirror(self, children: reflectedChildren, displayStyle: .class) }

    var reflectedChildren: KeyValuePairs<String, Any> {
        [
            "requests": requests, "isSuspended": isSuspended, "maxConcurrentRequestCount": maxConcurrentRequestCount,
            "mode": mode,
        ]
    }
}
