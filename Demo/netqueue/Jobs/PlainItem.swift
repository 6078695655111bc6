import NetworkQueueKit

/// A transfer that leaves no file: an upload, or the question for a size.
struct PlainItem: JobItem {
    let name: String
    let request: NetworkRequest
}
