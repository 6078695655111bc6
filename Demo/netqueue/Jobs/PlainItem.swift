import NetworkQueueKit

/// A transfer without a file: an upload, or a request for a size.
struct PlainItem: JobItem {
    let name: String
    let request: NetworkRequest
}
