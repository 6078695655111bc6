import Foundation
import NetworkQueueKit

/// One file to fetch.
struct Download: Hashable, Sendable {
    let url: URL
    /// Where it goes.
    let file: URL
    /// What to call it on the screen.
    let name: String
    /// What happens when the file is there already.
    var onConflict = Destination.ConflictPolicy.unique

    var request: NetworkRequest {
        var request = NetworkRequest(url)
        request.destination = .file(file, onConflict: onConflict)
        request.tag = name
        return request
    }
}
