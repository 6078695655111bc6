/// What `netqueue URL…` is to do.
struct DownloadOptions: Hashable, Sendable {
    var urls: [String] = []
    /// Files with one URL a line; `-` is the standard input.
    var lists: [String] = []
    var folder = "."
    var jobs = 4
    var overwrites = false
    var usesSizing = true
    /// How often a download is tried again after a failure that may pass.
    var retries = 0
    /// The seconds before each of them; `nil` is a random time that grows.
    var retryDelay: Double?
    var display = DisplayOptions()
}
