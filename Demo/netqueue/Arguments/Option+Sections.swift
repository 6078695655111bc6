extension Option {
    /// All options in the order of the help.
    static let sections = [
        Section("Input and output", for: [.download], transfer),
        Section("Existing files (one of these)", for: [.download, .upload], existing),
        Section("HTTP", for: [.download, .upload, .sizes], http),
        Section("Limits and retries", for: [.download, .upload, .sizes], limits),
        Section("Progress and logs", for: [.download, .upload, .sizes], logs),
        Section("Upload", for: [.upload], upload),
        Section("Partial downloads", for: [.clean], clean),
        Section("Demo", for: [.demo], demo),
        Section("Other", for: Set(Command.allCases), other),
    ]

    private static let transfer: [Option] = [
        Option(
            "output", short: "o",
            .text("FILE") { $0.output = $1 == Options.standardInput ? .standardOutput : .file($1) },
            "Write the single URL to FILE; - means standard output."),
        Option(
            "dir", short: "d", .text("DIR") { $0.folder = $1 },
            "Save files below DIR, which is created if needed (default: the current folder)."),
        Option(
            "input", short: "i", .text("FILE") { $0.lists.append($1) }, for: [.download, .upload, .sizes],
            "Read URLs, or with upload the files to send, from FILE, one per line, as described below; - means "
                + "standard input. A list of URLs may be at an http or https URL.",
            in: [
                [.upload]:
                    "Read the files to send from FILE, one per line, as described below; - means standard input.",
                [.download, .sizes]:
                    "Read URLs from FILE, one per line, as described below; - means standard input. FILE may be an "
                    + "http or https URL.",
            ]),
        Option(
            "trust-list", .flag { $0.trustsLists = true }, for: [.download, .sizes],
            "Send what -u, -H and --cert give to all servers that a list from a URL names. By default only its own "
                + "server gets them. See “Lists” below."),
        Option(
            "dirs", .flag { $0.strip = $0.strip ?? 0 }, "Keep the host and path of each URL as folders."),
        Option(
            "strip", .number(0...100) { $0.strip = $1 },
            "Drop the first N of those folders, starting with the host. Implies --dirs."),
        Option(
            "content-disposition", .flag { $0.usesSuggestedNames = true },
            "Use the file name the server suggests; the folder stays the same."),
        Option(
            "checksum",
            .parsed("sha256:HEX", "must be \(OptionValue.checksumForms)", parse: OptionValue.checksum) {
                $0.checksum = $1
            },
            "Accept the single URL only with this checksum, also sha512:, sha1:, md5:; -o - has the content first."),
        Option(
            "checksums", .text("FILE") { $0.checksumLists.append($1) },
            "Accept files only with the checksums in FILE, such as SHA256SUMS. Files without a line, and lines "
                + "without a file, are reported. FILE may be an http or https URL. May be given several times. See "
                + "“Checksums” below."),
        Option(
            "accept",
            .parsed(
                "TYPE", "must be a media type such as application/zip or image/*", parse: OptionValue.mediaType
            ) { $0.acceptedTypes.append($1) },
            "Accept only responses of this media type, such as application/zip or image/*; others fail before anything "
                + "is stored. Existing files that are kept are not checked. May be given several times."),
        Option(
            "dry-run", short: "n", .flag { $0.isDryRun = true }, for: [.download, .upload],
            "Transfer nothing, and write no file: print what would become of each file, the totals and the space. See "
                + "“Dry run” below. With upload, list the files, how large they are and where they would go.",
            in: [
                [.download]:
                    "Download nothing, and write no file: print what would become of each file, the totals and the "
                    + "space. See “Dry run” below.",
                [.upload]:
                    "Send nothing: list the files, how large they are and where they would go. No server is asked.",
            ]),
        Option(
            "no-space-check", .flag { $0.checksSpace = false },
            "Download files even if their known sizes do not fit on the disk. By default, nothing is downloaded then."),
        Option(
            "exec", .text("COMMAND") { $0.exec = $1 },
            "Run COMMAND for each file that is complete, or existed and is kept; a word {} becomes its path. If the "
                + "command fails, so does the file, which stays. See “Commands” below."),
        Option(
            "fsync",
            .choice("end|each|never", \.durability, ["end": .atEnd, "each": .eachFile, "never": .never]),
            "Flush files to the disk: large ones when they are complete, small ones together at the end (default); "
                + "each file when it is complete; or never. See “Where files go” below."),
    ]

    /// The policies for existing files, which exclude each other.
    static let existing: [Option] = [
        Option(
            "update", .flag { $0.existing = .update },
            "Replace files that differ from the server's copy. Without any of these options, such files are an "
                + "error. With upload, send only the files that the server lacks or has differently.",
            in: [
                [.download]:
                    "Replace files that differ from the server's copy. Without any of these options, such files are "
                    + "an error.",
                [.upload]:
                    "Send only the files that the server lacks or has differently: a HEAD for each tells, and the "
                    + "dates decide where the server sends no digest.",
            ]),
        Option(
            "overwrite", .flag { $0.existing = .overwrite },
            "Download everything, and replace existing files, but not those of this run. With upload, send every "
                + "file (default).",
            in: [
                [.download]: "Download everything, and replace existing files, but not those of this run.",
                [.upload]: "Send every file (default).",
            ]),
        Option(
            "keep", .flag { $0.existing = .keep },
            "Keep existing files without asking the server; those with a checksum are verified. With upload, send "
                + "only the files that the server lacks.",
            in: [
                [.download]: "Keep existing files without asking the server; those with a checksum are verified.",
                [.upload]: "Send only the files that the server lacks.",
            ]),
        Option(
            "rename", .flag { $0.existing = .rename }, for: [.download],
            "Keep files that differ from the server's copy, and save the new ones as name-2.ext, name-3.ext, ..."),
        Option(
            "verify", .flag { $0.existing = .verify }, for: [.download],
            "Compare existing files with “size=”, “checksum=” and --checksums, and download nothing. Without a URL, "
                + "compare all files that --checksums names."),
    ]

    private static let http: [Option] = [
        Option(
            "header", short: "H",
            // The value may be a secret.
            .parsed(
                "'NAME: VALUE'", "must be a field such as “Name: value”", isSecret: true,
                parse: { HeaderLine($0) }
            ) { options, header in
                options.headers.append(header)
                if header.value == nil, header.name.lowercased() == "user-agent" { options.userAgent = "" }
            },
            "Send this header field with every request. “Accept:” or “User-Agent:” alone suppresses that field. May "
                + "be given several times."),
        Option(
            "user", short: "u", .text("USER[:PASSWORD]") { $0.login = Login($1) },
            "Use these credentials when a host of the URLs asks for some. They are not sent before that, so the "
                + "first upload may be sent twice; user and password in a URL are sent at once. A missing password "
                + "is asked for at the terminal.",
            in: [
                [.download, .sizes]:
                    "Use these credentials when a host of the URLs asks for some. They are not sent before that; "
                    + "user and password in a URL are sent at once. A missing password is asked for at the "
                    + "terminal."
            ]),
        Option(
            "netrc", .flag { $0.usesNetrc = true },
            "Read credentials for each host from the file that NETRC names, or from ~/.netrc, also after a redirect "
                + "to another host."),
        Option(
            "cookies", .text("FILE") { $0.cookies = $1 },
            "Start with the cookies in FILE, in the Netscape format that browsers and curl export. The file is only "
                + "read."),
        Option(
            "no-cookies", .flag { $0.keepsCookies = false },
            "Neither store nor send cookies. By default they are kept in memory until the end."),
        Option("user-agent", short: "A", .text("TEXT") { $0.userAgent = $1 }, "Set the User-Agent."),
        Option(
            "compressed", .flag { $0.acceptsCompressed = true }, for: [.download],
            "Accept compressed responses, and decompress them."),
        Option(
            "no-redirect", .flag { $0.followsRedirects = false },
            "Follow no redirects: a redirect is a failure, and nothing is stored."),
        Option(
            "proxy",
            .text("URL") { options, text throws(UsageError) in
                guard let proxy = OptionValue.proxy(text) else {
                    throw UsageError(
                        "--proxy must be an http, https, socks4, socks4a, socks5 or socks5h URL with a host"
                            + (text.contains(byte: "@")
                                ? "; in a password, write / as %2F, @ as %40 and : as %3A" : ""))
                }
                options.proxy = proxy
            },
            "Use this proxy (http, https, socks4, socks4a, socks5, socks5h) instead of the environment's."),
        Option(
            "cacert", .text("FILE") { $0.trustedCertificates = $1 },
            "Trust the authorities in this PEM file instead of the system's or those in SSL_CERT_FILE."),
        Option(
            "cert", .text("FILE") { $0.certificate = $1 },
            "Send this client certificate (PEM) to servers that request one."),
        Option(
            "key", .text("FILE") { $0.key = $1 }, "The private key for --cert, if it is in another PEM file."),
        Option(
            "refresh", .text("COMMAND") { $0.refresh = $1 }, for: [.download],
            "If a server refuses a URL with 401, 403 or 410, as a signed link that has expired, go on at the URL that "
                + "COMMAND prints. See “Commands” below."),
    ]

    private static let limits: [Option] = [
        Option(
            "jobs", short: "j", .number { $0.jobs = $1 }, for: [.download, .upload, .demo],
            "Run N transfers at a time (default: 4; demo: 6).",
            in: [
                [.demo]: "Run N transfers at a time (default: 6).",
                [.download, .upload]: "Run N transfers at a time (default: 4).",
            ]),
        Option(
            "per-host", .number { $0.perHost = $1 },
            "Run at most N transfers at a time per host (default: no limit)."),
        Option(
            "split", .number { $0.maxParts = $1 }.optional { $0.maxParts = 8 }, for: [.download],
            "Let idle slots of -j download parts of large files, up to N parts of one file (default: 8), if the "
                + "server allows it."),
        Option(
            "checkers", .number { $0.checkers = $1 }, for: [.download, .sizes],
            "Request N sizes at a time (default: 16; downloads from one server: up to 32). A download requests at "
                + "least as many as -j.",
            in: [[.sizes]: "Request N sizes at a time (default: 16)."]),
        Option(
            "no-sizing", .flag { $0.usesSizing = false }, for: [.download, .demo],
            "Do not request sizes before the downloads start. Until all sizes are known, the percentage counts "
                + "files, total and ETA are estimates or missing, and a lack of disk space is not foreseen.",
            in: [
                [.demo]:
                    "Do not request sizes before the downloads start. Until all sizes are known, the percentage "
                    + "counts files, and total and ETA are estimates or missing."
            ]),
        Option(
            "lifo", .flag { $0.beginsWithLast = true },
            "Start with the last URL, or the last file of an upload.",
            in: [
                [.upload]: "Start with the last file.", [.download, .sizes]: "Start with the last URL.",
            ]),
        Option(
            "order",
            .choice(
                "list|reverse|smallest|largest|random", \.order,
                ["list": .list, "reverse": .reverse, "smallest": .smallest, "largest": .largest, "random": .random]),
            for: [.download],
            "Start downloads in the order of the list (default), in reverse, with the smallest or largest of those "
                + "whose size is known, or at random. See “Order” below."),
        Option("fail-fast", .flag { $0.failsFast = true }, "Cancel all others when one fails."),
        Option(
            "limit-rate",
            .parsed("RATE", "must be bytes per second, such as 500K or 2M", parse: OptionValue.rate) {
                $0.bytesPerSecond = $1
            }, for: [.download, .upload],
            "Limit the speed of all transfers together, in bytes per second: 500K, 2M, 1.5G; K is 1024."),
        Option(
            "rate",
            .parsed(
                "N/TIME", "must be a number of requests and a time, such as 60/m or 2500/5m",
                parse: OptionValue.requestRate
            ) {
                $0.requestRate = $1
            }, for: [.download, .upload],
            "Start at most N requests in any TIME, such as 5/s, 60/m or 2500/5m; HEAD requests, "
                + "retries and redirects count."),
        Option(
            "min-rate",
            .parsed("RATE", "must be bytes per second, such as 10K", parse: OptionValue.rate) {
                $0.minBytesPerSecond = $1
            }, for: [.download, .upload],
            "Treat a transfer that is slower than this for 30 seconds like one that has timed out."),
        Option(
            "timeout", .seconds(from: 0.001) { $0.timeout = $1 },
            "Give up on a transfer after S seconds of silence (default: 60)."),
        Option(
            "connect-timeout", .seconds(from: 0.001) { $0.connectTimeout = $1 },
            "Give up on a connection that takes longer than S seconds to make (default: 15)."),
        Option(
            "retries", .number(0...1000) { $0.retries = $1 },
            retriesHelp("An upload with --form is retried only if nothing was sent. "),
            in: [[.download, .sizes]: retriesHelp()]),
        Option(
            "retry-delay", .seconds { $0.retryDelay = $1 },
            "Wait S seconds before each retry, or as long as the server says, up to 5 minutes; by default, a random "
                + "time below a limit that doubles from half a second to a minute. At least half a second if the "
                + "server cannot be reached."),
        Option(
            "stop-after",
            .parsed("TIME", "must be a time such as 90s, 30m or 2h", parse: OptionValue.time) { $0.stopAfter = $1 },
            for: [.download, .upload],
            "Start no more transfers after TIME, such as 90s, 30m or 2h; running ones then have as long as --timeout "
                + "allows; the next run continues what the server can continue. Exit code: 75 if nothing failed."),
        Option(
            "shard", .parsed("K/N", "must be K/N with 1 ≤ K ≤ N", parse: OptionValue.shard) { $0.shard = $1 },
            for: [.download, .upload, .sizes],
            "Download part K of N of the list, or send part K of N of the files, 1 to N: disjoint parts, the same on "
                + "every machine.",
            in: [
                [.download]: "Download part K of N of the list, 1 to N: disjoint parts, the same on every machine.",
                [.upload]: "Send part K of N of the files, 1 to N: disjoint parts, the same on every machine.",
                [.sizes]: "Select part K of N of the list, 1 to N: disjoint parts, the same on every machine.",
            ]),
    ]

    private static let logs: [Option] = [
        Option(
            "progress",
            .choice("WHEN", \.mode, ["auto": .auto, "always": .always, "never": .never]),
            for: [.download, .upload, .sizes, .status, .demo],
            "auto (default): a bar on a terminal, lines elsewhere; always: a bar elsewhere, too; never: none. There "
                + "is no bar if TERM is dumb, or with -q."),
        Option(
            "quiet", short: "q", .flag { $0.isQuiet = true }, for: [.download, .upload, .sizes, .demo],
            "Print errors only; sizes also prints its table.",
            in: [
                [.sizes]: "Print the table and errors only.",
                [.download, .upload, .demo]: "Print errors only.",
            ]),
        Option(
            "verbose", short: "v", .flag { $0.isVerbose = true },
            "Log each event to standard error, and each request as a curl command without secrets."),
        Option(
            "timestamps", .flag { $0.showsTimes = true },
            "Begin each line of the log with the time in UTC, such as 2026-11-27T13:05:07.250Z."),
        Option(
            "json", .flag { $0.writesJSON = true },
            "Write each event as a JSON object on a line of standard output, instead of the summary. The manual "
                + "page (netqueue man) describes its fields under “JSON”."),
        Option(
            "progress-interval", .seconds(from: 0.1) { $0.progressInterval = .seconds($1) },
            for: [.download, .upload],
            "With --json, write the progress of the whole every S seconds (default: 1)."),
        Option(
            "status", .text("FILE") { $0.status = $1 }, for: [.download, .upload],
            "Write the progress to FILE once a second, for “netqueue status”; DIR/ means a file in DIR with a name of "
                + "its own. It has no URL, path or name."),
        Option(
            "failed",
            .text("FILE") { options, path throws(UsageError) in
                options.failedList = try file(path, of: "--failed")
            }, for: [.download, .upload],
            "Write a list of what failed to FILE, for another run with -i; of --verify without URLs, for another "
                + "--checksums.",
            in: [
                [.upload]:
                    "Write a list of the files that were not sent to FILE, for another run with -i. See “Lists of "
                    + "uploads” below."
            ]),
    ]

    /// The path of a file for an option's list.
    private static func file(_ path: String, of option: String) throws(UsageError) -> String {
        if path == Options.standardInput {
            throw UsageError("\(option) must be a file; standard output has the summary")
        }
        return path
    }

    private static let upload: [Option] = [
        Option(
            "recursive", short: "r", .flag { $0.isRecursive = true },
            "Send folders with everything in them, below the URL: DIR to URL/DIR, and DIR/. to URL itself. If the "
                + "server has no such folders, they are made, and that of the URL, too (WebDAV's MKCOL)."),
        Option(
            "no-mkcol", .flag { $0.makesFolders = false },
            "Make no folders on the server, and send each file once."),
        Option(
            "tus", .flag { $0.usesTus = true },
            "Send each file to the URL by tus 1.0.0. An upload that was interrupted, even by the end of the program, "
                + "continues where the server has got to."),
        Option(
            "form",
            .parsed(
                "NAME=@FILE", "must be NAME=TEXT or NAME=@FILE", isSecret: true, parse: { Options.Field($0) }
            ) { $0.form.append($1) },
            "POST a form with this file, or with a text as NAME=TEXT. May be given several times."),
        Option(
            "write-checksums",
            .text("FILE") { options, path throws(UsageError) in
                options.sentChecksums = try file(path, of: "--write-checksums")
            },
            "At the end, write the SHA-256 checksums of the files that were sent to FILE, as sha256sum does. See “Lists "
                + "of uploads” below."),
    ]

    private static let clean: [Option] = [
        Option(
            "delete", .flag { $0.deletes = true }, "Delete the partial downloads, except those in use.")
    ]

    private static let demo: [Option] = [
        Option("files", .number(1...100_000) { $0.files = $1 }, "Download N files (default: 240)."),
        Option(
            "seconds", .seconds { $0.seconds = $1 },
            "Take about S seconds (default: 10); 0 means as fast as possible."),
    ]

    private static let other: [Option] = [
        Option("help", short: "h", .flag { _ in }, "Print this help."),
        Option("version", .flag { _ in }, "Print the version."),
    ]

    /// - Parameter form: A sentence about uploads with `--form`, with the space after it.
    private static func retriesHelp(_ form: String = "") -> String {
        "Retry up to N times after temporary failures (default: 3), sooner if the server or the network comes back; "
            + "0: never. " + form
            + "If a server cannot be reached, its transfers are retried for 30 seconds, or for N times --retry-delay if "
            + "that is longer, and after that each is tried just once."
    }
}
