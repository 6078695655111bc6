import Foundation
import NetworkQueueKit

/// A file to download.
struct Download: JobItem, Hashable {
    var entry: ListEntry
    /// The absolute path of the file; `nil` means the standard output.
    let path: String?
    let name: String
    /// The treatment of an existing file.
    var onConflict = Destination.ConflictPolicy.keepIfCurrent(otherwise: .fail)
    /// Whether to use the name that the server suggests.
    var usesSuggestedName = false
    /// Whether the path contains a number, because another file of the run has the path of the URL.
    var isNumbered = false
    var decoration: RequestDecoration?

    var request: NetworkRequest {
        var request = NetworkRequest(entry.url)
        request.destination =
            path.map { .file(URL(filePath: $0, directoryHint: .notDirectory), onConflict: onConflict) }
            ?? .sink(StandardOutputSink())
        // The default for a file, but not for a sink.
        if path == nil { request.validation = .contentStatus }
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
        // An overwritten file stays until the new content is complete.
        onConflict == .overwrite ? keptBytes : max(keptBytes, path.flatMap { SystemFile.size($0) } ?? 0)
    }

    var keptBytes: Int64 {
        path.flatMap { POSIXFile.filledSize($0 + ".nqk.part") } ?? 0
    }
}
