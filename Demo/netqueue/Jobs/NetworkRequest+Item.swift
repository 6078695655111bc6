import NetworkQueueKit

/// A request as an item of a job.
extension NetworkRequest {
    /// The name to display, unique within the job.
    var itemName: String { tag ?? "" }

    /// The path of the part to which the download goes until it is complete; `nil` if it does not go to a file.
    var part: String? {
        guard case .file(let file, _, _) = destination else { return nil }
        return try? PartNames(file).part
    }

    /// The number of bytes from which a later run can resume; 0 if there are none.
    var keptBytes: Int64 { part.flatMap { POSIXFile.filledSize($0) } ?? 0 }

    /// The number of bytes already on the disk, which need no more space.
    var bytesThere: Int64 {
        // An overwritten file stays until the new content is complete.
        guard case .file(let file, let policy, _) = destination, policy != .overwrite else { return keptBytes }
        return max(keptBytes, POSIXFile.size(file.path(percentEncoded: false)) ?? 0)
    }
}
