import NetworkQueueKit

/// What `netqueue URL…` is to do.
struct DownloadOptions: Hashable, Sendable {
    /// Where the content goes.
    enum Output: Hashable, Sendable {
        /// Each URL to a file below a folder.
        case folder
        /// The one URL to this file.
        case file(String)
        case standardOutput
    }

    /// What becomes of files that are there already.
    enum Existing: Hashable, Sendable {
        /// Those that are what the server has stay, others fail.
        case check
        case update
        case overwrite
        case keep
        case rename
    }

    /// A part of a list.
    struct Shard: Hashable, Sendable {
        /// From 1 to `count`.
        var number: Int
        var count: Int
    }

    var urls: [String] = []
    /// Files with one URL a line; `-` is the standard input.
    var lists: [String] = []
    var output = Output.folder
    var folder = "."
    /// How many of host and folders are left out of the path; `nil` leaves out all of them.
    var strip: Int?
    var checksum: NetworkRequest.Checksum?
    var existing = Existing.check
    var headers: [HeaderLine] = []
    var login: Login?
    var usesNetrc = false
    var acceptsCompressed = false
    var connection = ConnectionOptions()
    var jobs = 4
    /// `nil` is no limit.
    var perHost: Int?
    /// How many sizes are asked for at a time; `nil` is the library's own number.
    var checkers: Int?
    var usesSizing = true
    var beginsWithLast = false
    var failsFast = false
    var bytesPerSecond: Int?
    /// The longest silence, in seconds; `nil` is the library's own.
    var timeout: Double?
    /// How often a download is tried again after a failure that may pass.
    var retries = 3
    /// The seconds before each of them; `nil` is a random time that grows.
    var retryDelay: Double?
    var shard: Shard?
    /// Where the list of what has failed goes.
    var failedList: String?
    var display = DisplayOptions()
}
