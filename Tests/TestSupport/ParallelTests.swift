import Foundation

// Swift Testing starts all tests at once, thousands of them. Each then takes so long that those with a deadline miss
// it, and the suite needs twice the time. The loader calls this function before the test process reads its environment.
#if os(Linux) && compiler(>=6.3)
    @used @section(".init_array")
    private let limitParallelTests: @convention(c) () -> Void = {
        setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "\(6 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))", 0)
    }
#endif
