/// The texts that `--help` and `--version` print.
enum HelpText {
    static let version = "0.1.0"

    /// The help for a command.
    static func text(_ command: Command) -> String {
        var sections = [usage(command)]
        if command == .download { sections.append(examples) }
        sections.append(options(command))
        switch command {
        case .download:
            sections += [lists, order, checksums, places, dryRun, commands, exitCodes, keys, output, environment]
        case .upload: sections += [uploads, uploadLists, exitCodes, keys, environment]
        case .sizes: sections += [lists, exitCodes, keys, environment]
        case .status: sections.append(machines)
        case .demo: sections.append(keys)
        case .clean, .completions, .man: break
        }
        return wrapped(sections.joined(separator: "\n"))
    }

    private static func usage(_ command: Command) -> String {
        let commands = command == .download ? Command.allCases : [command]
        let title =
            command == .download
            ? "Downloads and uploads files in one queue, with one progress bar for all.\n\n" : ""
        return title + "Usage:\n" + commands.map { "  \($0.synopsis)\n      \($0.purpose)\n" }.joined()
    }

    static let examples = """
        Examples:
          netqueue https://example.com/a.iso https://example.com/b.iso
          netqueue -o disk.iso --checksum sha256:9f86... https://example.com/a.iso
          netqueue -d mirror --dirs --strip 1 -j 8 --failed again.txt -i list.txt
          netqueue -o - https://example.com/data.json | jq .
          netqueue upload -u me report.pdf photos/*.jpg https://example.com/inbox/
          tar c photos | netqueue upload - https://example.com/inbox/photos.tar

        """

    static let order = """
        Order:
          The sizes of the first few hundred files are requested before the first transfer, the others meanwhile. \
        Standard input is read as it arrives: URLs that come after a pause are downloaded at once, and fail if a line \
        before them has the same file.

          With --order smallest or largest, a file whose size is known goes
          before the others that have been read; those without “size=” are read and sized a few hundred at a time. \
        --lifo is --order reverse, and of standard input it starts with the latest URL.

          Files with “stage=” are downloaded stage by stage, each in that order. Standard input must have the lowest \
        stage first, whose files start as its lines arrive; higher stages wait for its end. A line of a lower stage \
        than one before it fails. With --shard, each machine has stages
          of its own.

        """

    static let checksums = """
        Checksums:
          Each line of the FILE of --checksums has a hash and a file name, as written by sha256sum and its siblings, \
        with one space, two or an asterisk, or in the BSD form SHA256 (name) = HEX; a FILE may mix them. The name is \
        the path of the file below DIR, or the end of its URL's path. SHA-512, SHA-256, SHA-1 and MD5 are supported; \
        of several for one file, the strongest counts. “checksum=” in a list takes precedence. A file without a line \
        and a line without a file are reported, and are not failures.

          --verify compares existing files and downloads nothing: a file that is missing, or has another size or \
        checksum, is a failure. --failed writes a list of those: their URLs, for another run with -i, or without URLs \
        their lines of FILE, for another --checksums.

        """

    static let places = """
        Where files go:
          To the last part of the URL's path, below DIR; to index.html if there is none. With --dirs to HOST/PATH. \
        Queries are ignored, and no name leads out of DIR. Two URLs with the same file are an error before anything is \
        downloaded, unless --rename or --content-disposition is given. With --content-disposition the server may \
        choose the name of a file, but not its folder.

          A file whose size and date match the server's copy is not downloaded again, so the same command finishes \
        what was interrupted. A file gets its name when it is complete; until then it is name.nqk.part. An interrupted \
        download resumes where it stopped, unless the file has changed on its server. With --rename, each run that \
        finds a different file under a name makes a new copy, as with wget and aria2.

          If the sizes that are known before the first transfer do not fit on a disk, nothing is downloaded; \
        --no-space-check lifts that. What a partial download holds counts, and a file that is replaced frees nothing. \
        Sizes that become known later lead to one warning.

          When netqueue ends with 0, all files are on the disk. A power cut before that may leave small files missing \
        or empty; the same command downloads them again. With --fsync each, a file that has its name is on the disk, \
        which takes several times as long for small files. With --fsync never, the system writes files to the disk \
        later.

          Files get the mode 666 less the umask, also those that replace others. Only their owner can read a new list \
        of --failed and name.nqk.part.info, in which a partial download keeps its URL: URLs may contain secrets.

        """

    static let commands = """
        Commands:
          The COMMAND of --exec or --refresh is split at blanks and started without
          a shell, so nothing in it is quoted or expanded: use a script for more. A
          word {} becomes the path of the file, which is in NETQUEUE_FILE, too. NETQUEUE_URL is its URL without user \
        name and password. Standard input is empty.

          --exec runs COMMAND when a file is complete, and for an existing file that is kept, then with \
        NETQUEUE_KEPT=1. The file counts as one of the -j transfers until the command has ended, and is finished then. \
        If the command ends with another status than 0, the file stays, but has failed, and is in the list of \
        --failed. What the command writes goes to standard error. The first Ctrl-C waits for commands that run; the \
        second ends them.

          --refresh passes the URL that was refused as the last argument; other users of the machine can see the \
        arguments. The first line of the output must be the new URL. If it is not, or if the command ends with another \
        status than 0 or takes longer than 60 seconds, the file fails with the server's error and the last line that \
        the command has written to standard error. At most four run at a time, and at most three in a row for a file \
        that gets no byte in between. Logins, cookies and Authorization fields are not sent to a new URL of another \
        host.

        """

    static let dryRun = """
        Dry run:
          With -n, netqueue reads the existing files that have a checksum, sends a HEAD for each other file, or a GET \
        for its first byte where HEAD is refused, and prints a line for each file of the whole list:
            new         the file does not exist
            resumes at  an interrupted download goes on after that many bytes
            current     the file is kept
            changed     the file differs from the server's copy, or is replaced
                        in any case (--overwrite)
            unknown     the file exists, and the server sends too little to tell whether it is current
            failed      the server cannot be reached, or has no such file
          The totals and the space on the disk follow. Nothing is written: no file, folder or partial download, no \
        list of --failed, and no file of --status. With --no-sizing no server is asked, except for a list. The exit \
        code is 1 if a file failed, or if the files do not fit on the disk.

        """

    static let uploads = """
        Where uploads go:
          To the URL, or below it under the name of the file if the URL ends with /. FILE may be - for standard input, \
        which is stored in a file in TMPDIR until it is sent. Links to files are followed, links to folders inside a \
        folder are not. With --tus, all files go to the URL itself.

          A list (-i) has the path of a file on each line, and after a tab out=PATH if it goes to another path below \
        the URL. Spaces are part of a path. Blank lines and lines that start with # are skipped. Lines and files that \
        cannot be read fail, and the others are sent.

        """

    /// The output format of ``JSONLog``; only for the manual page.
    static let json = """
        JSON:
          With --json, each line of standard output is an object. Fields that do not apply are left out. Events, \
        fields and errors may be added, and none will be removed.
            event      plan      once, before the first transfer of downloads or of
                                 an upload: what is about to be transferred; with --dry-run, after all “check”
                       start     an item has begun
                       progress  once a second: the progress of all items
                       retry     an attempt has failed, and another follows
                       finish    an item is complete
                       fail      an item, or a line of a list, has failed
                       cancel    an item was cancelled
                       group     the items of a group have ended, as far as it has been read
                       check     with --dry-run: what would become of an item
                       summary   the last line: the totals
            v          1; it rises only if a field changes its meaning
            time       when, in UTC: 2026-11-27T13:05:07.250Z
            shard      the part with --shard, as K/N
            name       the name of the item: its file, below DIR, or its URL; for an upload, the file to send, or \
        “form”; for an invalid line, its place, as in list:12
            group      its group in the list
            url        its URL, without user name and password
            mirror     the mirror that served it, or failed, if it is not “url”
            file       the path of its file, with finish and check
            status     the status of the response
            size       the size of the whole content of a download; with summary, the sum of the sizes that were \
        requested
            bytes      how many bytes of content were transferred, in all attempts; for an upload without the \
        response; with summary, for all items, including those that failed or were cancelled; with group, for its \
        finished items, without failed attempts; with summary of --verify, how many were read from the files
            seconds    how long it took; with retry, how long it waits
            attempts   how often it was sent
            current    whether the file existed and matches the server's copy; with --verify, whether it passed, if \
        that is known
            reason     why it failed, for people
            error      the same for programs, with retry and fail:
                       dns, connect, lost, timeout, tls   the connection to the
                                                          server
                       http       a status other than success
                       login      a server or a proxy asks for credentials
                       redirects, response   too many of them, or one that is not followed; an invalid response
                       size, checksum, type  the content is not what it must be
                       exists     a file is in the way
                       disk, file, output    full; cannot be read or written
                       name       another item has the same file
                       line       a line of a list is invalid
                       stage      a file of a lower stage has failed
                       space      the files do not fit on the disk
                       exec       the command of --exec has failed
                       resources, other      no free file descriptor; anything
                                             else
            answer     with fail: what the response says, without its markup
            space      with the error “space”: an object with “needed”, “free” (bytes) and “path” (a folder on the disk)
            state      with check of a download: new, resumes, current, changed
                       or unknown, as described under “Dry run”
            offset     with the state “resumes”: the bytes that are there
            plan       with plan: an object with “count” (the number of requests so far), “knownBytes” (the sum of \
        known sizes), “unknownSizes” (how many are unknown) and, of downloads, “presentBytes” (those of knownBytes \
        that are on the disk) and, unless more of a list is to come, “volumes” (what
                       each disk needs, in the form of “space”)
            body       what the server responded to an upload, at most 64 KiB
            total, finished, failed, cancelled, kept
                       with summary: the number of items, and what became of
                       them; kept ones existed already, and are among the finished. Those that --keep does not verify \
        have no finish event without --exec. Without kept with group, which tells that the items of a group so far \
        have ended
            unchecked  with summary of --verify: how many had neither size nor
                       checksum
            progress   with progress: an object with “phase” (an object: “phase” is
                       idle, sizing, transferring or finished; “completed” of “total” sizes with sizing), \
        “fractionCompleted” (0 to 1, never less than before), “bytesPerSecond”, “estimatedTimeRemaining” (seconds), \
        “download” and
                       “upload” (each with “transferred”, “expected” and “isEstimated”), “counts” (“total”, “waiting”, \
        “running”, “paused”, “retrying”, “finished”, “failed”, “cancelled”), and “sizing” (“completed” of “total”) \
        while sizes are requested
            unflushed  with summary: folders on disks that did not take all files, so that some may be lost in a power \
        cut; the exit code is 1

          If standard output is a terminal, there is no bar without --progress always. If its reader goes away, the \
        exit code is 1, and the transfers go on.

        """

    static let machines = """
        Machines:
          Give each machine --status DIR/ and its --shard, and let “netqueue status DIR” draw one bar over all of them \
        until they have ended. Machines with less than half of the median speed are called slow. A machine is lost if \
        its file says nothing new for 30 seconds, or cannot be understood. Of several files of one shard, the one that \
        was started last counts. If standard output or standard error is no terminal, the state is printed once; then \
        a machine is lost if its file is older than 60 seconds. --progress always or never decides it.

          The exit code is the highest that applies: 0 all is well, 1 something failed or was cancelled, 2 a machine \
        is lost, 3 one is still running;
          64 if no file can be read.

          A status file is one JSON object: “v” (1), “run” (of this process), “started” (in UTC), “sequence” \
        (increases with each write), “host”, “shard”, “progress” (as with --json), and “exit”, the exit code, once the \
        job has ended.

        """

    static let exitCodes = """
        Exit codes:
            0   success
            1   something failed
           64   the command line is wrong, or a file it names cannot be read
           75   --stop-after ended the run before its end, and nothing failed
          129   SIGHUP; 130 Ctrl-C; 131 Ctrl-\\; 143 SIGTERM

        """

    static let keys = """
        Keys:
          While a bar is drawn, p pauses the transfers, r resumes them, and q cancels in order, like the first Ctrl-C; \
        a second Ctrl-C exits at once. + and - raise and lower the speed limit by a quarter, or without a limit set \
        one from the speed that was measured.
          In the background nothing is drawn.

        """

    /// What a download may write to standard output, before ``environment``.
    static let output = """
        Output:
          The content of -o - goes to standard output, and then the summary to standard error.

        """

    static let environment = """
        Environment:
          Progress and errors go to standard error, the summary to standard output. NO_COLOR, CLICOLOR_FORCE, NETRC, \
        SSL_CERT_FILE and http_proxy, https_proxy, all_proxy and no_proxy are honored.

        """

    // MARK: Option table

    /// The options of a command by group, with their descriptions.
    static func options(_ command: Command) -> String {
        Option.sections.reduce(into: "") { text, section in
            let options = section.options.filter { $0.commands.contains(command) }
            guard !options.isEmpty else { return }
            text += (text.isEmpty ? "" : "\n") + "\(section.title):\n"
            text += options.map { paragraph($0.synopsis, $0.help(for: command)) }.joined()
        }
    }

    private static func paragraph(_ synopsis: String, _ help: String) -> String {
        // Most synopses fit into this column and a gap of two.
        let indent = String(repeating: " ", count: 28)
        let start = "  \(synopsis)"
        let gap = start.count > 26 ? "\n" + indent : String(indent.dropFirst(start.count))
        return wrapped(start + gap + help, to: 79) + "\n"
    }

    // MARK: Lines

    /// The text with each line broken that is wider than a terminal. What follows is indented like the line's last
    /// column: columns are separated by two spaces or more.
    static func wrapped(_ text: String, to width: Int = 74) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count >= 80 else { return String(line) }
            let start = line.ranges(of: #/ {2,}/#).last?.upperBound ?? line.startIndex
            let indent = String(repeating: " ", count: line[..<start].count)
            var (rows, row) = ("", String(line[..<start]))
            for word in line[start...].split(separator: " ") {
                if row.count + 1 + word.count > width {
                    rows += row + "\n"
                    row = indent
                }
                row += (row.hasSuffix(" ") ? "" : " ") + word
            }
            return rows + row
        }
        return lines.joined(separator: "\n")
    }
}
