import NetworkQueueKit

/// One of the transfers of a job.
protocol JobItem: Sendable {
    /// What to call it on the screen; no two of a job have the same.
    var name: String { get }
    /// What is sent for it.
    var request: NetworkRequest { get }
    /// How many bytes of it a later run can go on with; 0 where there are none.
    var keptBytes: Int64 { get }
    /// How many bytes it need not write, since they are on the disk.
    var bytesThere: Int64 { get }
}

extension JobItem {
    var keptBytes: Int64 { 0 }
    var bytesThere: Int64 { 0 }
}
