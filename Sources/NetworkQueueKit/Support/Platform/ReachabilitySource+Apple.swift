#if canImport(Network)
    import Dispatch
    import Network

    /// Calls back each time that the network path becomes satisfied, or changes while satisfied, until it is canceled.
    ///
    /// Type-checked for Apple's platforms on Linux (`.ci/apple`), but never run.
    final class ReachabilitySource: Sendable {
        private static let queue = DispatchQueue(label: "NetworkQueueKit.reachability")
        private let monitor = NWPathMonitor()

        init?(onRecovery: @escaping @Sendable () -> Void) {
            // The first call reports the present state, not a change.
            let isFirst = Guarded(true)
            monitor.pathUpdateHandler = { path in
                let wasFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if !wasFirst, path.status == .satisfied { onRecovery() }
            }
            monitor.start(queue: Self.queue)
        }

        deinit { monitor.cancel() }

        func cancel() { monitor.cancel() }
    }
#elseif !os(Linux)
    /// For systems with neither source: waits end when their time is over.
    final class ReachabilitySource: Sendable {
        init?(onRecovery: @escaping @Sendable () -> Void) { return nil }
        func cancel() {}
    }
#endif
