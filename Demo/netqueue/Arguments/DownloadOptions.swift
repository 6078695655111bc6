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
        /// Nothing is fetched, only compared.
        case verify
    }

    var source = SourceOptions()
    var output = Output.folder
    var folder = "."
    /// How many of host and folders are left out of the path; `nil` leaves out all of them.
    var strip: Int?
    /// Whether files get the names that their servers suggest.
    var usesSuggestedNames = false
    var checksum: NetworkRequest.Checksum?
    /// Lists of checksums.
    var checksumLists: [String] = []
    var existing = Existing.check
    /// Where the list of what has failed goes.
    var failedList: String?
    var transfer = TransferOptions()
}
