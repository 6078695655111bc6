#if canImport(os)
    import os

    extension Logger {
        /// Returns a sink for ``EventLogger`` that writes each line to the system's log.
        ///
        /// ```swift
        /// queue.monitors.append(EventLogger(sink: Logger(subsystem: "com.example.app", category: "network").sink()))
        /// ```
        ///
        /// - Parameters:
        ///   - level: the level of all lines. Default `.debug`, which the system does not store.
        ///   - isPublic: whether the lines, which include URLs without credentials, can be read in a device's log
        ///     without a debugger. Default `false`.
        public func sink(level: OSLogType = .debug, isPublic: Bool = false) -> @Sendable (String) -> Void {
            guard isPublic else { return { line in log(level: level, "\(line, privacy: .private)") } }
            return { line in log(level: level, "\(line, privacy: .public)") }
        }
    }
#endif
