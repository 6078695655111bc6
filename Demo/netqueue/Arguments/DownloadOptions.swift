/// What `netqueue URL…` is to do.
struct DownloadOptions: Hashable, Sendable {
    var urls: [String] = []
    /// Files with one URL a line; `-` is the standard input.
    var lists: [String] = []
    var folder = "."
    var jobs = 4
    /// How many sizes are asked for at a time; `nil` is the library's own number.
    var checkers: Int?
    var overwrites = false
    var usesSizing = true
    /// How often a download is tried again after a failure that may pass.
    var retries = 0
    /// The seconds before each of them; `nil` is a random time that grows.
    var retryDelay: Double?
    var display = DisplayOptions()
}
