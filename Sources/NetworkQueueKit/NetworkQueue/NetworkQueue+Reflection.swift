/// Texts without what users' code keeps for itself: adapters have tokens, and a cookie storage has cookies.
extension NetworkQueue: CustomReflectable {
    /// What `dump` shows: the requests, and the settings by which they run.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "requests": requests, "isSuspended": isSuspended,
                "maxConcurrentRequestCount": maxConcurrentRequestCount, "mode": mode,
                "cancelsAllOnFailure": cancelsAllOnFailure, "showsAccurateProgress": showsAccurateProgress,
            ], displayStyle: .class)
    }
}

extension NetworkQueue.Configuration: CustomReflectable {
    /// What `dump` shows, and `print`: users' objects by their types alone.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "maxConcurrentRequestCount": maxConcurrentRequestCount,
                "maxConcurrentRequestCountPerHost": maxConcurrentRequestCountPerHost as Any, "mode": mode,
                "allowsDuplicateRequests": allowsDuplicateRequests, "cancelsAllOnFailure": cancelsAllOnFailure,
                "showsAccurateProgress": showsAccurateProgress, "sizingTimeout": sizingTimeout,
                "progressInterval": progressInterval, "maximumBytesPerSecond": maximumBytesPerSecond as Any,
                "validation": validation, "retryPolicy": retryPolicy,
                "retryDecider": retryDecider.map(typeName(of:)) as Any, "redirectPolicy": redirectPolicy,
                "adapters": adapters.map(typeName(of:)), "processors": processors.map(typeName(of:)),
                "cookieStorage": cookieStorage.map(typeName(of:)) as Any,
            ], displayStyle: .struct)
    }
}
