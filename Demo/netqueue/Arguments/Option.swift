/// All options of the program. Help, completions and manual page are generated from this table.
enum Option: CaseIterable {
    case output, folder, input, dirs, strip, contentDisposition, checksum, checksums
    case update, overwrite, keep, rename, verify
    case header, user, netrc, cookies, noCookies, userAgent, compressed, proxy, caFile, certificate, key
    case jobs, perHost, split, checkers, sizing, lifo, failFast, limitRate, timeout, connectTimeout, retries,
        retryDelay, shard
    case progress, quiet, verbose, json, failed
    case recursive, form
    case delete
    case files, seconds
    case help, version

    var form: OptionForm {
        switch self {
        case .output:
            OptionForm(
                long: "output", short: "o", value: "FILE", group: .what,
                help: "Write the one URL to FILE; - is the standard output.")
        case .folder:
            OptionForm(
                long: "dir", short: "d", value: "DIR", group: .what,
                help: "Put the files below DIR, and create it if need be (default: the current folder).")
        case .input:
            OptionForm(
                long: "input", short: "i", value: "FILE", group: .what,
                help:
                    "Read URLs, or with upload the files to send, from FILE, one a line; - is the standard input. See “Lists” "
                    + "below.")
        case .dirs:
            OptionForm(long: "dirs", group: .what, help: "Keep the host and the path of each URL as folders.")
        case .strip:
            OptionForm(
                long: "strip", value: "N", group: .what,
                help: "Leave out the first N of those folders, the host being the first. Means --dirs.")
        case .contentDisposition:
            OptionForm(
                long: "content-disposition", group: .what,
                help: "Call a file as its server does, in the folder that it would be in otherwise.")
        case .checksum:
            OptionForm(
                long: "checksum", value: "sha256:HEX", group: .what,
                help: "Accept the one URL only with this checksum; sha512:, sha1: and md5: are known, too.")
        case .checksums:
            OptionForm(
                long: "checksums", value: "FILE", group: .what,
                help:
                    "Accept files only with the checksums in FILE, such as SHA256SUMS. Files without a line, and lines "
                    + "without a file, are told of. May be given several times. See “Checksums” below.")
        case .update:
            OptionForm(
                long: "update", group: .there,
                help: "Replace those that are not what the server has. Without any of these, they are an error.")
        case .overwrite: OptionForm(long: "overwrite", group: .there, help: "Fetch all, and replace what is there.")
        case .keep:
            OptionForm(
                long: "keep", group: .there,
                help: "Leave them as they are without asking the server; one with a checksum is checked.")
        case .rename:
            OptionForm(
                long: "rename", group: .there,
                help: "Leave those that are not what the server has, and call the new ones name-2.ext, name-3.ext, ...")
        case .verify:
            OptionForm(
                long: "verify", group: .there,
                help:
                    "Compare them with “size=”, “checksum=” and --checksums, and fetch nothing. Without a URL, all files "
                    + "that --checksums names.")
        case .header:
            OptionForm(
                long: "header", short: "H", value: "'NAME: VALUE'", group: .http,
                help:
                    "Send this header field with every request; NAME: alone sends none of that name, not even its own. May be "
                    + "given several times.")
        case .user:
            OptionForm(
                long: "user", short: "u", value: "USER[:PASSWORD]", group: .http,
                help:
                    "Answer demands for credentials with these. Nothing is sent before a host of the URLs asks, so that the "
                    + "first upload may be sent twice; user and password in a URL are sent at once. Without a password "
                    + "it is asked for at the terminal.")
        case .netrc:
            OptionForm(
                long: "netrc", group: .http,
                help:
                    "Take credentials for each host from the file that NETRC names, or ~/.netrc, also after a redirect to "
                    + "another host.")
        case .cookies:
            OptionForm(
                long: "cookies", value: "FILE", group: .http,
                help:
                    "Begin with the cookies in FILE, which browsers and curl export in Netscape's form. It is only read."
            )
        case .noCookies:
            OptionForm(
                long: "no-cookies", group: .http,
                help: "Neither keep nor send cookies. Without this they are kept in memory until the end.")
        case .userAgent:
            OptionForm(
                long: "user-agent", short: "A", value: "TEXT", group: .http, help: "Call the program by this name.")
        case .compressed:
            OptionForm(long: "compressed", group: .http, help: "Let servers compress, and decode what they send.")
        case .proxy:
            OptionForm(
                long: "proxy", value: "URL", group: .http,
                help: "Go through this proxy (http, https, socks4, socks5, socks5h) in place of the environment's.")
        case .caFile:
            OptionForm(
                long: "cacert", value: "FILE", group: .http,
                help: "Trust the authorities in this PEM file in place of the system's, or of those in SSL_CERT_FILE.")
        case .certificate:
            OptionForm(
                long: "cert", value: "FILE", group: .http, help: "Show servers that ask for it this PEM certificate.")
        case .key:
            OptionForm(
                long: "key", value: "FILE", group: .http, help: "Its private key, if that is in another PEM file.")
        case .jobs:
            OptionForm(
                long: "jobs", short: "j", value: "N", group: .pace, help: "So many at a time (default: 4; demo: 6).")
        case .perHost:
            OptionForm(
                long: "per-host", value: "N", group: .pace, help: "So many at a time from one host (default: all).")
        case .split:
            OptionForm(
                long: "split", optionalValue: "N", group: .pace,
                help:
                    "Have slots of -j that nothing waits for fetch parts of files that are large, up to N of one file "
                    + "(default: 8), where the server allows it.")
        case .checkers:
            OptionForm(
                long: "checkers", value: "N", group: .pace, help: "Ask for so many sizes at a time (default: 16).")
        case .sizing:
            OptionForm(long: "no-sizing", group: .pace, help: "Do not ask for sizes before the downloads begin.")
        case .lifo: OptionForm(long: "lifo", group: .pace, help: "Begin with the last one.")
        case .failFast:
            OptionForm(long: "fail-fast", group: .pace, help: "Cancel all others when one has failed.")
        case .limitRate:
            OptionForm(
                long: "limit-rate", value: "RATE", group: .pace,
                help: "No more bytes a second than this, all together: 500K, 2M, 1.5G; K is 1024.")
        case .timeout:
            OptionForm(
                long: "timeout", value: "S", group: .pace, help: "Give one up after S seconds of silence (default: 60)."
            )
        case .connectTimeout:
            OptionForm(
                long: "connect-timeout", value: "S", group: .pace,
                help: "Give up a connection that takes longer to make (default: 15).")
        case .retries:
            OptionForm(
                long: "retries", value: "N", group: .pace,
                help:
                    "Try again up to N times after failures that may pass (default: 3), sooner when server or network "
                    + "have come back. Failures to reach a server do not count for 30 seconds, or for N times the "
                    + "--retry-delay; then each transfer tries once. 0: never try again.")
        case .retryDelay:
            OptionForm(
                long: "retry-delay", value: "S", group: .pace,
                help:
                    "Wait S seconds before each of them, or longer where the server says so, up to 5 minutes; without "
                    + "it, a random time that grows from half a second to a minute. At least half a second if the "
                    + "server cannot be reached.")
        case .shard:
            OptionForm(
                long: "shard", value: "K/N", group: .pace,
                help: "Fetch the K-th of N disjoint parts of the list, 1 to N: the same on every machine.")
        case .progress:
            OptionForm(
                long: "progress", value: "WHEN", group: .display,
                help: "auto (default): a bar on a terminal, lines elsewhere; always: a bar in any case; never: none.")
        case .quiet:
            OptionForm(long: "quiet", short: "q", group: .display, help: "Say nothing but what went wrong.")
        case .verbose:
            OptionForm(
                long: "verbose", short: "v", group: .display,
                help: "A line for each event on the standard error, and each request as a curl command without secrets."
            )
        case .json:
            OptionForm(
                long: "json", group: .display,
                help: "An object for each event, one a line, on the standard output in place of the summary.")
        case .recursive:
            OptionForm(
                long: "recursive", short: "r", group: .upload,
                help: "Send folders with all that is in them, below the URL: DIR to URL/DIR, and DIR/. to URL itself.")
        case .form:
            OptionForm(
                long: "form", value: "NAME=@FILE", group: .upload,
                help: "POST a form with this file, or with NAME=TEXT this text. May be given several times.")
        case .delete: OptionForm(long: "delete", group: .clean, help: "Remove the parts, but for those in use.")
        case .failed:
            OptionForm(
                long: "failed", value: "FILE", group: .display,
                help: "Write a list of what has failed to FILE, for another run with -i.")
        case .files: OptionForm(long: "files", value: "N", group: .demo, help: "So many files (default: 240).")
        case .seconds:
            OptionForm(
                long: "seconds", value: "S", group: .demo,
                help: "Take about so long (default: 10); 0 is as fast as it goes.")
        case .help: OptionForm(long: "help", short: "h", group: .other, help: "Print this.")
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
        case .limitRate: [.download, .upload]
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
        throw UsageError("--\(long) is not for \(own), but for \(others.joined(separator: " and "))")
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
