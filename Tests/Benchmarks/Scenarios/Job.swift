import Foundation
import NetworkQueueKit

/// The work of one contender: GETs.
struct Job {
    /// One for each request.
    var urls: [URL]
    var concurrency: Int
    /// The folder for the content, in files named by their number; `nil` discards the content.
    var folder: URL?
    /// The certificate to trust instead of the system's authorities.
    var certificate: URL?
    var httpVersion = HTTPVersion.preferred

    /// The version to request, for contenders with such an option.
    enum HTTPVersion {
        /// The contender's default.
        case preferred
        case http1
        case http2
    }

    func request(_ number: Int) -> NetworkRequest {
        var request = NetworkRequest(urls[number])
        if let folder {
            request.destination = .file(folder.appending(path: "\(number)"), onConflict: .overwrite)
        } else {
            request.destination = .discard
        }
        return request
    }
}
