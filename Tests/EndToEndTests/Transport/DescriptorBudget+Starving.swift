#if canImport(Glibc)
    import Glibc

    @testable import NetworkQueueKit

    extension DescriptorBudget {
        /// Returns as soon as something in the process waits for a descriptor; `false` when what is expected to is over instead.
        ///
        /// Waits without Dispatch, which ends the process when it lacks descriptors.
        func isStarving(unless isOver: () -> Bool) -> Bool {
            while !isOver() {
                if starvingCount > 0 { return !isOver() }
                sched_yield()
            }
            return false
        }
    }
#endif
