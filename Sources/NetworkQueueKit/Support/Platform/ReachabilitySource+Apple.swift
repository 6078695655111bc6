#if canImport(Network)
    import Dispatch
    import Network

    /// Calls back, any number of times until it is cancelled, when the network path has become satisfied or another
    /// one.
    ///
    /// Type-checked for Apple's platforms on Linux (`.ci/apple`), and never run.
    final class ReachabilitySource: Sendable {
        private static let queue = DispatchQueue(label: "NetworkQueueKit.reachability")
        private let monitor = NWPathMonitor()

        init?(onRecovery: @escaping @Sendable () -> Void) {
            // The first call tells how things are, not that they have changed.
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
    /// Systems without either: waits end at their time.
    final class ReachabilitySource: Sendable {
        init?(onRecovery: @escaping @Sendable () -> Void) { return nil }
        func cancel() {}
    }
#endif
