/// Advice for options of other programs that netqueue lacks or names differently.
enum ForeignOption {
    /// The options, hyphens included, and the advice for them.
    private static let hints = [
        "-c --continue": "the same command resumes an interrupted download, without an option",
        "-O --remote-name": "files are named after their URLs, without an option; use -o FILE for another name",
        "-J": "use --content-disposition for the name the server suggests",
        "-k --insecure --no-check-certificate":
            "certificates are always verified; use --cacert FILE to trust other authorities",
        "-L --location": "redirects are followed, except from https to http",
        "--max-redirect --max-redirs": "up to 20 redirects are followed; use --no-redirect to follow none",
        "-x": "use --proxy URL for a proxy, or -j N --split for one file in N parts",
        "-s": "use -q to print errors only, or -j N --split for one file in N parts",
        "--max-connection-per-server": "use -j N --split for one file in N parts",
        "--min-split-size": "--split makes parts of at least 1 MiB",
        "--silent": "use --quiet to print errors only",
        "-P": "use -d DIR for a folder, or -j N to run N transfers at a time",
        "-T": "use “netqueue upload FILE... URL” to send files",
        "-F": "use “netqueue upload --form NAME=@FILE URL” to post a form",
        "-I --spider": "use -n to download nothing, or “netqueue sizes URL...” for the sizes only",
        "-b --load-cookies": "use --cookies FILE to start with the cookies in FILE",
        "--retry --tries --max-tries": "use --retries N to retry up to N times",
        "--max-time": "use --timeout S to give up after S seconds of silence; the whole transfer has no limit",
        "--input-file": "use -i FILE to read a list",
        "--directory-prefix --directory": "use -d DIR for a folder",
        "--max-concurrent-downloads": "use -j N to run N transfers at a time",
        "--no-clobber": "use --keep to keep existing files, or --update to replace those that differ",
        "--timestamping -N": "use --update to replace files that differ from the server's copy",
        "--bwlimit": "use --limit-rate RATE to limit the speed of all transfers together",
        "--http-user --password --http-password": "use -u USER:PASSWORD for a user and a password",
        "--on-download-complete": "use --exec COMMAND to run a command for each file",
        "-X": "“netqueue upload” sends files with PUT, and a form with POST",
    ]

    /// The advice for an option; `nil` if there is none.
    static func hint(_ option: String) -> String? {
        hints.first { $0.key.split(separator: " ").contains { $0 == option } }?.value
    }
}
