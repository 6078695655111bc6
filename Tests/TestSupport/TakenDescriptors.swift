#if canImport(Glibc)
    import Glibc

    /// Takes all descriptors that the process may have, until `release()`. For exit tests.
    ///
    /// It cannot be all for long: Foundation, Dispatch and the C library give back descriptors of their own for some
    /// time after a process has begun, or a thread. What needs to find none is tried with `untilNoneIsFree(_:)`.
    ///
    /// Unchecked: an exit test uses it one call after the other.
    package final class TakenDescriptors: @unchecked Sendable {
        private let limit: rlim_t
        private let sparing: Int
        private var taken: [Int32] = []

        /// - Parameters:
        ///   - limit: how many the process may have from the first `take()` on.
        ///   - sparing: how many are free all the same.
        package init(limit: rlim_t = 256, sparing: Int = 0) {
            self.limit = limit
            self.sparing = sparing
        }

        /// Lowers the limit, and takes what is free.
        package func take() {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limits = rlimit()
            getrlimit(resource, &limits)
            limits.rlim_cur = limit
            setrlimit(resource, &limits)
            while case let descriptor = dup(STDERR_FILENO), descriptor >= 0 { taken.append(descriptor) }
            for _ in 0..<min(sparing, taken.count) { close(taken.removeLast()) }
        }

        /// Takes what is free, and makes an attempt, until one finds no descriptor; returns what that one returns.
        /// `nil` says that it has found one, which something else in the process has given back. Ends the process when
        /// each of 1,000 has.
        package func untilNoneIsFree<Outcome>(_ attempt: () -> Outcome?) -> Outcome {
            for _ in 0..<1_000 {
                take()
                if let outcome = attempt() { return outcome }
            }
            exit(120)
        }

        /// Gives them back.
        package func release() {
            for descriptor in taken { close(descriptor) }
            taken = []
        }
    }
#endif
