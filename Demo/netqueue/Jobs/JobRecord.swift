/// What has come of the downloads of a job, beside their numbers.
struct JobRecord: Sendable {
    /// In the order in which they failed.
    var failures: [JobFailure] = []
    /// The numbers of those that have failed or were cancelled.
    var unfinished: [Int] = []
    /// How much content all have moved.
    var bytes: Int64 = 0
    /// How many were there already, and are what the server has.
    var currentCount = 0
    /// Whether the disk was full, which ends a job.
    var isDiskFull = false
}
