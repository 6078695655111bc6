import Foundation
import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One file to fetch.
struct Download: Hashable, Sendable {
    let entry: ListEntry
    /// Where it goes; `nil` is the standard output.
    let file: URL?
    /// What to call it on the screen; no two of a job have the same.
    let name: String
    /// What happens when the file is there already.
    var onConflict = Destination.ConflictPolicy.keepIfCurrent(otherwise: .fail)
    var login: Login?
    /// The longest silence, in seconds; `nil` is the library's own.
    var timeout: Double?

    var request: NetworkRequest {
        var request = NetworkRequest(entry.url)
        request.destination = file.map { .file($0, onConflict: onConflict) } ?? .sink(StandardOutputSink())
        request.expectedChecksum = entry.checksum
        request.expectedDownloadSize = entry.size
        for header in entry.headers { request.headers.append(name: header.name, value: header.value) }
        if let login {
            request.credential = URLCredential(
                user: login.user, password: login.password ?? "", persistence: .forSession)
        }
        if let timeout { request.timeout = .seconds(timeout) }
        request.tag = name
        return request
    }

    /// How many bytes of it are kept for a later run; 0 where there is no part.
    var keptBytes: Int64 {
        file.flatMap { SystemFile.size($0.path(percentEncoded: false) + ".nqk.part") } ?? 0
    }
}
