import NetworkQueueKit

/// A transfer of a job.
protocol JobItem: Sendable {
    /// The name to display, unique within the job.
    var name: String { get }
    /// The request to send.
    var request: NetworkRequest { get }
    /// The number of bytes from which a later run can resume; 0 if there are none.
    var keptBytes: Int64 { get }
    /// The number of bytes already on the disk, which need no more space.
    var bytesThere: Int64 { get }
}

extension JobItem {
    var keptBytes: Int64 { 0 }
    var bytesThere: Int64 { 0 }
}
