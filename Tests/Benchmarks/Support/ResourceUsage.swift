import Foundation

/// What a process needed of the machine.
struct ResourceUsage {
    var cpuSeconds: Double
    var peakResidentBytes: Int

    /// This process, so far.
    static var current: ResourceUsage {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        let peak = ProcessMemory.peak(of: getpid())
        return ResourceUsage(usage, peakResidentBytes: peak)
    }

    init(cpuSeconds: Double, peakResidentBytes: Int) {
        self.cpuSeconds = cpuSeconds
        self.peakResidentBytes = peakResidentBytes
    }

    init(_ usage: rusage, peakResidentBytes: Int?) {
        // Linux counts in KiB, Darwin in bytes.
        #if os(Linux)
            let unit = 1024
        #else
            let unit = 1
        #endif
        cpuSeconds = usage.ru_utime.seconds + usage.ru_stime.seconds
        self.peakResidentBytes = peakResidentBytes ?? Int(usage.ru_maxrss) * unit
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
