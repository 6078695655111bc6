/// All options of the program. Help, completions and manual page are generated from this table.
enum Option: CaseIterable {
    case output, folder, input, dirs, strip, contentDisposition, checksum, checksums, fsync
    case update, overwrite, keep, rename, verify
    case header, user, netrc, cookies, noCookies, userAgent, compressed, proxy, caFile, certificate, key
    case jobs, perHost, split, checkers, sizing, lifo, failFast, limitRate, timeout, connectTimeout, retries,
        retryDelay, shard
    case progress, quiet, verbose, json, progressInterval, failed
    case recursive, form
    case delete
    case files, seconds
    case help, version

    var form: OptionForm {
        switch self {
        case .output:
            OptionForm(
                long: "output", short: "o", value: "FILE", group: .what,
                help: "Write the single URL to FILE; - means standard output.")
        case .folder:
            OptionForm(
                long: "dir", short: "d", value: "DIR", group: .what,
                help: "Save files below DIR, which is created if needed (default: the current folder).")
        case .input:
            OptionForm(
                long: "input", short: "i", value: "FILE", group: .what,
                help:
                    "Read URLs, or with upload the files to send, from FILE, one per line, as described below; - means "
                    + "standard input.")
        case .dirs:
            OptionForm(long: "dirs", group: .what, help: "Keep the host and path of each URL as folders.")
        case .strip:
            OptionForm(
                long: "strip", value: "N", group: .what,
                help: "Drop the first N of those folders, starting with the host. Implies --dirs.")
        case .contentDisposition:
            OptionForm(
                long: "content-disposition", group: .what,
                help: "Use the file name the server suggests; the folder stays the same.")
        case .checksum:
            OptionForm(
                long: "checksum", value: "sha256:HEX", group: .what,
                help: "Accept the single URL only with this checksum; sha512:, sha1: and md5: work too.")
        case .checksums:
            OptionForm(
                long: "checksums", value: "FILE", group: .what,
                help:
                    "Accept files only with the checksums in FILE, such as SHA256SUMS. Files without a line, and lines "
                    + "without a file, are reported. May be given several times. See “Checksums” below.")
        case .fsync:
            OptionForm(
                long: "fsync", value: "end|each|never", group: .what,
                help:
                    "Flush files to the disk: large ones when they are complete, small ones together at the end "
                    + "(default); each file when it is complete; or never. See “Where files go” below.")
        case .update:
            OptionForm(
                long: "update", group: .there,
                help:
                    "Replace files that differ from the server's copy. Without any of these options, such files are an "
                    + "error.")
        case .overwrite:
            OptionForm(
                long: "overwrite", group: .there,
                help: "Download everything, and replace existing files, but not those of this run.")
        case .keep:
            OptionForm(
                long: "keep", group: .there,
                help: "Keep existing files without asking the server; those with a checksum are verified.")
        case .rename:
            OptionForm(
                long: "rename", group: .there,
                help:
                    "Keep files that differ from the server's copy, and save the new ones as name-2.ext, name-3.ext, "
                    + "...")
        case .verify:
            OptionForm(
                long: "verify", group: .there,
                help:
                    "Compare existing files with “size=”, “checksum=” and --checksums, and download nothing. Without a "
                    + "URL, compare all files that --checksums names.")
        case .header:
            OptionForm(
                long: "header", short: "H", value: "'NAME: VALUE'", group: .http,
                help:
                    "Send this header field with every request. “Accept:” or “User-Agent:” alone suppresses that field. "
                    + "May be given several times.")
        case .user:
            OptionForm(
                long: "user", short: "u", value: "USER[:PASSWORD]", group: .http,
                help:
                    "Use these credentials when a host of the URLs asks for some. They are not sent before that, so the "
                    + "first upload may be sent twice; user and password in a URL are sent at once. A missing password is "
                    + "asked for at the terminal.")
        case .netrc:
            OptionForm(
                long: "netrc", group: .http,
                help:
                    "Read credentials for each host from the file that NETRC names, or from ~/.netrc, also after a "
                    + "redirect to another host.")
        case .cookies:
            OptionForm(
                long: "cookies", value: "FILE", group: .http,
                help:
                    "Start with the cookies in FILE, in the Netscape format that browsers and curl export. The file is "
                    + "only read."
            )
        case .noCookies:
            OptionForm(
                long: "no-cookies", group: .http,
                help: "Neither store nor send cookies. By default they are kept in memory until the end.")
        case .userAgent:
            OptionForm(
                long: "user-agent", short: "A", value: "TEXT", group: .http, help: "Set the User-Agent.")
        case .compressed:
            OptionForm(long: "compressed", group: .http, help: "Accept compressed responses, and decompress them.")
        case .proxy:
            OptionForm(
                long: "proxy", value: "URL", group: .http,
                help: "Use this proxy (http, https, socks4, socks4a, socks5, socks5h) instead of the environment's.")
        case .caFile:
            OptionForm(
                long: "cacert", value: "FILE", group: .http,
                help:
                    "Trust the authorities in this PEM file instead of the system's or those in SSL_CERT_FILE.")
        case .certificate:
            OptionForm(
                long: "cert", value: "FILE", group: .http,
                help: "Send this client certificate (PEM) to servers that request one.")
        case .key:
            OptionForm(
                long: "key", value: "FILE", group: .http,
                help: "The private key for --cert, if it is in another PEM file.")
        case .jobs:
            OptionForm(
                long: "jobs", short: "j", value: "N", group: .pace,
                help: "Run N transfers at a time (default: 4; demo: 6).")
        case .perHost:
            OptionForm(
                long: "per-host", value: "N", group: .pace,
                help: "Run at most N transfers at a time per host (default: no limit).")
        case .split:
            OptionForm(
                long: "split", optionalValue: "N", group: .pace,
                help:
                    "Let idle slots of -j download parts of large files, up to N parts of one file "
                    + "(default: 8), if the server allows it.")
        case .checkers:
            OptionForm(
                long: "checkers", value: "N", group: .pace,
                help:
                    "Request N sizes at a time (default: 16; downloads from one server: up to 32). A download requests "
                    + "at least as many as -j.")
        case .sizing:

            OptionForm(
                long: "no-sizing", group: .pace,
                help:
                    "Do not request sizes before the downloads start. Until all sizes are known, the percentage counts "
                    + "files, total and ETA are estimates or missing, and a lack of disk space is not foreseen.")
        case .lifo:
            OptionForm(long: "lifo", group: .pace, help: "Start with the last URL, or the last file of an upload.")
        case .failFast:
            OptionForm(long: "fail-fast", group: .pace, help: "Cancel all others when one fails.")
        case .limitRate:
            OptionForm(
                long: "limit-rate", value: "RATE", group: .pace,
                help: "Limit the speed of all transfers together, in bytes per second: 500K, 2M, 1.5G; K is 1024.")
        case .timeout:
            OptionForm(
                long: "timeout", value: "S", group: .pace,
                help: "Give up on a transfer after S seconds of silence (default: 60)."
            )
        case .connectTimeout:
            OptionForm(
                long: "connect-timeout", value: "S", group: .pace,
                help: "Give up on a connection that takes longer than S seconds to make (default: 15).")
        case .retries:
            OptionForm(
                long: "retries", value: "N", group: .pace,
                help: Self.retriesHelp(ofForm: "An upload with --form is retried only if nothing was sent. "))
        case .retryDelay:
            OptionForm(
                long: "retry-delay", value: "S", group: .pace,
                help:
                    "Wait S seconds before each retry, or as long as the server says, up to 5 minutes; by default, a "
                    + "random time below a limit that doubles from half a second to a minute. At least half a second "
                    + "if the server cannot be reached.")
        case .shard:
            OptionForm(
                long: "shard", value: "K/N", group: .pace,
                help: "Download part K of N of the list, 1 to N: disjoint parts, the same on every machine.")
        case .progress:
            OptionForm(
                long: "progress", value: "WHEN", group: .display,
                help:
                    "auto (default): a bar on a terminal, lines elsewhere; always: a bar elsewhere, too; never: none. "
                    + "There is no bar if TERM is dumb, or with -q.")
        case .quiet:
            OptionForm(
                long: "quiet", short: "q", group: .display, help: "Print errors only; sizes also prints its table.")
        case .verbose:
            OptionForm(
                long: "verbose", short: "v", group: .display,
                help: "Log each event to standard error, and each request as a curl command without secrets."
            )
        case .json:
            OptionForm(
                long: "json", group: .display,
                help:
                    "Write each event as a JSON object on a line of standard output, instead of the summary. The manual "
                    + "page (netqueue man) describes its fields under “JSON”.")
        case .progressInterval:
            OptionForm(
                long: "progress-interval", value: "S", group: .display,
                help: "With --json, write the progress of the whole every S seconds (default: 1).")
        case .recursive:
            OptionForm(
                long: "recursive", short: "r", group: .upload,
                help:
                    "Send folders with everything in them, below the URL: DIR to URL/DIR, and DIR/. to URL itself.")
        case .form:
            OptionForm(
                long: "form", value: "NAME=@FILE", group: .upload,
                help: "POST a form with this file, or with a text as NAME=TEXT. May be given several times.")
        case .delete:
            OptionForm(long: "delete", group: .clean, help: "Delete the partial downloads, except those in use.")
        case .failed:
            OptionForm(
                long: "failed", value: "FILE", group: .display,
                help:
                    "Write a list of what failed to FILE, for another run with -i; of --verify without URLs, for "
                    + "another --checksums.")
        case .files: OptionForm(long: "files", value: "N", group: .demo, help: "Download N files (default: 240).")
        case .seconds:
            OptionForm(
                long: "seconds", value: "S", group: .demo,
                help: "Take about S seconds (default: 10); 0 means as fast as possible.")
        case .help: OptionForm(long: "help", short: "h", group: .other, help: "Print this help.")
        case .version: OptionForm(long: "version", group: .other, help: "Print the version.")
        }
    }

    var short: Character? { form.short }
    var long: String { form.long }
    var takesValue: Bool { form.value != nil }

    /// The commands that accept the option.
    var commands: Set<Command> {
        switch self {
        case .input: [.download, .upload, .sizes]
        case .shard, .checkers: [.download, .sizes]
        case .compressed, .failed, .split: [.download]
        case .limitRate, .progressInterval: [.download, .upload]
        case .jobs: [.download, .upload, .demo]
        case .sizing: [.download, .demo]
        case .progress, .quiet: [.download, .upload, .sizes, .demo]
        default:
            switch form.group {
            case .what, .there: [.download]
            case .upload: [.upload]
            case .clean: [.clean]
            case .http, .pace, .display: [.download, .upload, .sizes]
            case .demo: [.demo]
            case .other: Set(Command.allCases)
            }
        }
    }

    /// Throws if a command does not accept the option.
    func check(for command: Command) throws(UsageError) {
        if commands.contains(command) { return }
        let own = command == .download ? "a download" : "“netqueue \(command.rawValue)”"
        let others = Command.allCases.filter(commands.contains).map {
            $0 == .download ? "downloads" : "“netqueue \($0.rawValue)”"
        }
        throw UsageError("--\(long) is not an option for \(own), but for \(others.joined(separator: " and "))")
    }

    /// The option with a long name. The error suggests a similar name if there is one.
    static func named(_ name: some StringProtocol) throws(UsageError) -> Option {
        if let option = allCases.first(where: { $0.long == name }) { return option }
        let near = allCases.map { (option: $0, distance: EditDistance.between(String(name), $0.long)) }
            .min { $0.distance < $1.distance }
        let isNear = near.map { $0.distance <= max(1, name.count / 3) && $0.distance < name.count } ?? false
        throw unknown("--\(name)", hint: isNear ? near.map { "did you mean “--\($0.option.long)”?" } : nil)
    }

    /// The error for an unknown option, with advice if there is any.
    static func unknown(_ name: String, hint: String?) -> UsageError {
        UsageError("unknown option “\(name)”" + ((ForeignOption.hint(name) ?? hint).map { "; " + $0 } ?? ""))
    }
}
