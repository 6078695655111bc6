import Foundation
import NetworkQueueKit

/// What a command line asks for. The table of ``Option`` fills the fields, and each command reads those it knows.
struct Options: Hashable, Sendable {
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

    /// The order in which downloads start.
    enum Order: Hashable, Sendable {
        case list, reverse, smallest, largest, random
    }

    /// When to show progress.
    enum Mode: String, CaseIterable, Sendable {
        /// A bar on a terminal, otherwise a line every few seconds.
        case auto
        /// Always a bar.
        case always
        /// No progress.
        case never
    }

    /// One of several disjoint parts of the lists, or of the files of an upload.
    struct Shard: Hashable, Sendable {
        /// From 1 to `count`.
        var number: Int
        var count: Int

        var text: String { "\(number)/\(count)" }
    }

    /// A field of a form.
    struct Field: Hashable, Sendable {
        let name: String
        /// The text; `nil` for a file.
        let text: String?
        let file: String?

        /// Parses `NAME=TEXT` or `NAME=@FILE`.
        init?(_ text: String) {
            var parts = text.parts(separatedBy: "=", maxSplits: 1)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            name = String(parts[0])
            let isFile = parts[1].skip(byte: "@")
            self.text = isFile ? nil : String(parts[1])
            file = isFile ? String(parts[1]) : nil
        }
    }

    /// The path that stands for the standard input among files and lists.
    static let standardInput = "-"

    let command: Command
    /// The URLs, or the folders to clean; for an upload, the files and then the URL.
    var operands: [String] = []

    // MARK: Input and output

    var output = Output.folder
    var folder = "."
    /// The paths or URLs of lists, which have one URL per line, or for an upload the path of one file to send.
    var lists: [String] = []
    /// Whether servers that a list from a URL names get all that belongs to the user.
    var trustsLists = false
    var shard: Shard?
    /// The number of leading components (the host, then folders) to leave out of the path; `nil` leaves out all of
    /// them.
    var strip: Int?
    /// Whether to use the file names that servers suggest.
    var usesSuggestedNames = false
    var checksum: NetworkRequest.Checksum?
    /// The paths or URLs of checksum lists.
    var checksumLists: [String] = []
    /// The media types and ranges that responses may have; if empty, all.
    var acceptedTypes: [String] = []
    /// The command that is run for each file.
    var exec: String?
    var durability = Durability.atEnd
    /// Whether to transfer nothing, and print what would become of each file.
    var isDryRun = false
    /// Whether downloads are refused that do not fit on the disk.
    var checksSpace = true
    var existing = Existing.check
    /// The path for the list of what failed.
    var failedList: String?
    /// The path for the checksums of what an upload has sent.
    var sentChecksums: String?
    /// Whether to send folders with everything in them.
    var isRecursive = false
    /// Whether to make the folders on the server.
    var makesFolders = true
    /// Whether to send files by tus.
    var usesTus = false
    /// The fields of a form; if empty, the files are sent individually.
    var form: [Field] = []
    /// Whether to remove the parts, not just list them.
    var deletes = false

    // MARK: HTTP

    var headers: [HeaderLine] = []
    var login: Login?
    var usesNetrc = false
    /// The path of a file with initial cookies.
    var cookies: String?
    var keepsCookies = true
    var userAgent: String?
    var acceptsCompressed = false
    var followsRedirects = true
    var proxy: URL?
    var trustedCertificates: String?
    var certificate: String?
    var key: String?
    /// The command that replaces links that have expired.
    var refresh: String?

    // MARK: Limits and retries

    var jobs: Int
    /// `nil` means no limit.
    var perHost: Int?
    /// The maximum number of parts of one file to fetch at a time; `nil` means no splitting.
    var maxParts: Int?
    /// The maximum number of size requests at a time; `nil` means the library's default.
    var checkers: Int?
    var usesSizing = true
    var beginsWithLast = false
    var order = Order.list
    var failsFast = false
    var bytesPerSecond: Int?
    var requestRate: RequestRate?
    var minBytesPerSecond: Int?
    /// The time after which no more transfers start.
    var stopAfter: Duration?
    /// The longest silence in seconds; `nil` means the library's default.
    var timeout: Double?
    /// In seconds.
    var connectTimeout: Double?
    /// The maximum number of retries after temporary failures.
    var retries = 3
    /// The seconds before each retry; `nil` means a random, growing delay.
    var retryDelay: Double?

    // MARK: Progress and logs

    var mode = Mode.auto
    var isQuiet = false
    /// Whether to print a line for each event to the standard error.
    var isVerbose = false
    /// Whether each line of the log begins with the time.
    var showsTimes = false
    /// Whether to print each event to the standard output as JSON, in place of the summary.
    var writesJSON = false
    /// How often a line of JSON tells the progress.
    var progressInterval = Duration.seconds(1)
    /// The file to write the progress to, or its folder if it ends with a slash.
    var status: String?
    /// The number of files of the demo, and the approximate duration of their transfers; 0 means unlimited speed.
    var files = 240
    var seconds = 10.0

    init(_ command: Command = .download) {
        self.command = command
        jobs = command == .demo ? 6 : 4
    }
}
