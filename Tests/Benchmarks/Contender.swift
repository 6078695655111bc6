/// Who does the work.
enum Contender: String, CaseIterable {
    /// `NetworkQueue` over libcurl, with a delegate and progress.
    case networkQueueCurl = "networkqueue-curl"
    /// `RequestQueue` over libcurl, with a completion handler for each request.
    case requestQueueCurl = "requestqueue-curl"
    /// `NetworkQueue` over `URLSession`, with a delegate and progress.
    case networkQueueURLSession = "networkqueue-urlsession"
    /// `URLSession` data tasks with completion handlers and nothing around them.
    case urlSession = "urlsession"
}
