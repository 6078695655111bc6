import NetworkQueueKit

/// A transfer of a job.
struct JobItem: Sendable {
    /// The name to display, unique within the job.
    let name: String
    let request: NetworkRequest

    /// The number of bytes from which a later run can resume; 0 if there are none.
    var keptBytes: Int64 { request.part.flatMap { POSIXFile.filledSize($0) } ?? 0 }

    /// The number of bytes already on the disk, which need no more space.
    var bytesThere: Int64 {
        // An overwritten file stays until the new content is complete.
        guard case .file(let file, let policy, _) = request.destination, policy != .overwrite else { return keptBytes }
        return max(keptBytes, POSIXFile.size(file.path(percentEncoded: false)) ?? 0)
    }
}

extension NetworkRequest {
    /// The path of the part to which the download goes until it is complete; `nil` if it does not go to a file.
    var part: String? {
        guard case .file(let file, _, _) = destination else { return nil }
        return try? PartNames(file).part
    }
}
