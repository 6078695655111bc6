/// What `netqueue URL…` is to do.
struct DownloadOptions: Hashable, Sendable {
    var urls: [String] = []
    /// Files with one URL a line; `-` is the standard input.
    var lists: [String] = []
    var folder = "."
    var jobs = 4
    var overwrites = false
    var usesSizing = true
    var display = DisplayOptions()
}
