/// The results of a job's transfers, apart from their counts.
struct JobRecord: Sendable {
    /// The failures in the order they occurred.
    var failures: [JobFailure] = []
    /// The indices of the failed and canceled items.
    var unfinished: [Int] = []
    /// The number of content bytes transferred.
    var bytes: Int64 = 0
    /// The number of files that already existed and are up to date.
    var currentCount = 0
    /// Whether the disk was full, which ends a job.
    var isDiskFull = false
}
