/// Texts without what users' code keeps for itself: adapters have tokens, and a cookie storage has cookies.
extension RequestQueue: CustomReflectable {
    /// What `dump` shows: the requests, and the settings by which they run.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "requests": requests, "isSuspended": isSuspended,
                "maxConcurrentRequestCount": maxConcurrentRequestCount, "mode": mode,
            ], displayStyle: .class)
    }
}

extension RequestQueue.Configuration: CustomReflectable {
    /// What `dump` shows, and `print`: users' objects by their types alone.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "maxConcurrentRequestCount": maxConcurrentRequestCount,
                "maxConcurrentRequestCountPerHost": maxConcurrentRequestCountPerHost as Any, "mode": mode,
                "allowsDuplicateRequests": allowsDuplicateRequests, "isSuspended": isSuspended,
                "validation": validation, "retryPolicy": retryPolicy,
                "retryDecider": retryDecider.map(typeName(of:)) as Any, "redirectPolicy": redirectPolicy,
                "adapters": adapters.map(typeName(of:)), "processors": processors.map(typeName(of:)),
                "cookieStorage": cookieStorage.map(typeName(of:)) as Any,
                "maximumBytesPerSecond": maximumBytesPerSecond as Any,
            ], displayStyle: .struct)
    }
}

/// What there is to tell of a value whose content may be secret.
func typeName(of value: Any) -> String { String(describing: type(of: value)) }
