import Foundation
import NetworkQueueKit

/// What is asked of a contender.
struct Job {
    enum Method: String {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
    }

    var method = Method.get
    /// One for each request.
    var urls: [URL]
    var concurrency: Int
    /// Where the content goes, as files named by their number; `nil` means that it is thrown away.
    var folder: URL?
    /// The file that is sent.
    var upload: URL?
    /// Whether a queue that can ask for sizes is to.
    var wantsSizes = false
    /// Whether one response's content is too much to collect in memory.
    var isLarge = false
    var bytesPerSecond: Int?
    /// How many monitors the queue is to tell of everything, which do nothing.
    var monitors = 0
    /// The certificate to trust in place of the system's authorities.
    var certificate: URL?
    var httpVersion = HTTPVersion.preferred

    /// Which version a contender asks for that can be told.
    enum HTTPVersion {
        /// What it asks for by itself.
        case preferred
        case http1
        case http2
    }

    /// The same without asking for sizes.
    var unsized: Job {
        var job = self
        job.wantsSizes = false
        return job
    }

    func request(_ number: Int) -> NetworkRequest {
        var request = NetworkRequest(urls[number])
        if method != .get { request.urlRequest.httpMethod = method.rawValue }
        if let upload { request.body = .file(upload) }
        if let folder {
            request.destination = .file(folder.appending(path: "\(number)"), onConflict: .overwrite)
        } else {
            request.destination = .discard
        }
        return request
    }

    /// Bytes of the file that is sent; 0 without a file.
    func uploadSize() throws -> Int64 {
        guard let upload else { return 0 }
        return Int64(try upload.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
    }
}
