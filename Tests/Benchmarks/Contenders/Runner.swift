/// A contender, ready to start.
protocol Runner {
    /// Does the whole job and returns when its last request has ended; throws when any has failed.
    func run() async throws -> Work
}

/// What a runner has done.
struct Work {
    /// Bytes of content, in either direction.
    var bytes: Int64 = 0
    /// What the program needed, where another program did the work.
    var usage: ResourceUsage?

    static func + (first: Work, second: Work) -> Work {
        var usage = first.usage
        if let other = second.usage {
            usage = ResourceUsage(
                cpuSeconds: (usage?.cpuSeconds ?? 0) + other.cpuSeconds,
                peakResidentBytes: max(usage?.peakResidentBytes ?? 0, other.peakResidentBytes))
        }
        return Work(bytes: first.bytes + second.bytes, usage: usage)
    }
}
