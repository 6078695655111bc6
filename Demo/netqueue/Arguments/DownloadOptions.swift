import NetworkQueueKit

/// The options of `netqueue URL…`.
struct DownloadOptions: Hashable, Sendable {
    /// The destination of the content.
    enum Output: Hashable, Sendable {
        /// Each URL goes to a file below a folder.
        case folder
        /// The single URL goes to this file.
        case file(String)
        case standardOutput
    }

    /// The treatment of files that already exist.
    enum Existing: Hashable, Sendable {
        /// Keep up-to-date files and fail for others.
        case check
        case update
        case overwrite
        case keep
        case rename
        /// Compare files and fetch nothing.
        case verify
    }

    var source = SourceOptions()
    var output = Output.folder
    var folder = "."
    /// The number of leading components (the host, then folders) to leave out of the path; `nil` leaves out all of
    /// them.
    var strip: Int?
    /// Whether to use the file names that servers suggest.
    var usesSuggestedNames = false
    var checksum: NetworkRequest.Checksum?
    /// The paths of checksum lists.
    var checksumLists: [String] = []
    var existing = Existing.check
    /// The path for the list of failed downloads.
    var failedList: String?
    var transfer = TransferOptions()
}
