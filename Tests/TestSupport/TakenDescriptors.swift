#if canImport(Glibc)
    import Glibc

    /// Takes all descriptors that the process may have, until `release()`. For exit tests.
    ///
    /// It cannot be all for long: Foundation, Dispatch and the C library give back descriptors of their own for some time after a process has
    /// begun, or a thread.
    package final class TakenDescriptors: @unchecked Sendable {
        private let sparing: Int
        private var taken: [Int32] = []

        /// Lowers the limit, and takes what is left.
        ///
        /// - Parameter sparing: how many are free all the same.
        package init(limit count: rlim_t = 256, sparing: Int = 0) {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            getrlimit(resource, &limit)
            limit.rlim_cur = count
            setrlimit(resource, &limit)
            self.sparing = sparing
            takeMore()
        }

        /// Takes what has come free meanwhile, but for those that are to be free.
        package func takeMore() {
            while case let descriptor = dup(STDERR_FILENO), descriptor >= 0 { taken.append(descriptor) }
            for _ in 0..<min(sparing, taken.count) { close(taken.removeLast()) }
        }

        /// Gives them back.
        package func release() {
            for descriptor in taken { close(descriptor) }
            taken = []
        }
    }
#endif
