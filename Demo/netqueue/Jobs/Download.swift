import Foundation
import NetworkQueueKit

/// One file to fetch.
struct Download: JobItem, Hashable {
    var entry: ListEntry
    /// The path of its file, from the root; `nil` is the standard output.
    let path: String?
    let name: String
    /// What happens when the file is there already.
    var onConflict = Destination.ConflictPolicy.keepIfCurrent(otherwise: .fail)
    /// Whether it gets the name that its server suggests.
    var usesSuggestedName = false
    /// Whether its path has a number, because another file of the run has the path of its URL.
    var isNumbered = false
    var decoration: RequestDecoration?

    var request: NetworkRequest {
        var request = NetworkRequest(entry.url)
        request.destination =
            path.map { .file(URL(filePath: $0, directoryHint: .notDirectory), onConflict: onConflict) }
            ?? .sink(StandardOutputSink())
        request.usesSuggestedFileName = usesSuggestedName
        if isNumbered { request.hasNumberedFileName = true }
        request.expectedChecksum = entry.checksum
        request.expectedDownloadSize = entry.size
        request.mirrors = entry.mirrors
        for header in entry.headers { header.add(to: &request.headers) }
        request.tag = name
        decoration?.decorate(&request)
        return request
    }

    var bytesThere: Int64 {
        // What is overwritten stays until the new content is whole.
        onConflict == .overwrite ? keptBytes : max(keptBytes, path.flatMap { SystemFile.size($0) } ?? 0)
    }

    var keptBytes: Int64 {
        path.flatMap { SystemFile.filledSize($0 + ".nqk.part") } ?? 0
    }
}
