/// A contender, ready to start.
protocol Runner {
    /// Does the whole job and returns when its last request has ended; throws when any has failed.
    func run() async throws -> Work
}

/// What a runner has done.
struct Work {
    /// Bytes of content.
    var bytes: Int64 = 0
    /// What the program needed, where another program did the work.
    var usage: ResourceUsage?
}
