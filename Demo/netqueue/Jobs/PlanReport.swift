import NetworkQueueKit

/// What a run is about to transfer; in JSON it is `plan`.
struct PlanReport: Encodable, Equatable, Sendable {
    /// The number of files, without those that are skipped.
    var count: Int
    /// The sum of the sizes that are known.
    var knownBytes: Int64
    /// The number of files of unknown size.
    var unknownSizes: Int
    /// The bytes of ``knownBytes`` that are on the disk already; `nil` for an upload.
    var presentBytes: Int64?
    /// The disks to which the files go; `nil` for an upload, and before a list has been read to its end.
    var volumes: [DiskNeed]?

    /// The plan of a queue.
    ///
    /// - Parameter size: The sum of all sizes, if a list gives each.
    init(_ plan: NetworkQueue.Plan, size: Int64? = nil) {
        count = plan.requestCount + plan.unreadCount
        knownBytes = size ?? plan.knownBytes
        unknownSizes = size == nil ? plan.unknownSizeCount + plan.unreadCount : 0
        presentBytes = plan.presentBytes
        volumes = plan.isComplete ? plan.volumes.map { DiskNeed($0) } : nil
    }

    /// The plan of an upload with contents of these sizes.
    init(uploads sizes: [Int64?]) {
        count = sizes.count
        knownBytes = sizes.reduce(0) { $0.addingSaturated($1 ?? 0) }
        unknownSizes = sizes.count { $0 == nil }
    }
}
