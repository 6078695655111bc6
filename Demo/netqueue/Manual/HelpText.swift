/// The texts that `--help` and `--version` print.
enum HelpText {
    static let version = "0.1.0"

    /// The help for a command.
    static func text(_ command: Command) -> String {
        var sections = [usage(command)]
        if command == .download { sections.append(examples) }
        sections.append(options(command))
        if command == .download { sections += [lists, checksums, places] }
        if command == .sizes { sections.append(lists) }
        if command == .upload { sections.append(uploads) }
        if command == .upload || command == .download { sections.append(exitCodes) }
        return sections.joined(separator: "\n")
    }

    private static func usage(_ command: Command) -> String {
        let commands = command == .download ? Command.allCases : [command]
        let title =
            command == .download ? "Transfers files through one queue, with one progress for all of them.\n\n" : ""
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

    static let lists = """
        Lists:
          One URL a line. Blank lines and lines that begin with # are skipped. URLs are read
          as browsers read them: what is percent-encoded stays, and a backslash in a path is
          a slash. What belongs to a URL stands behind it, after tabs, or in indented lines
          of its own:
            out=PATH              its file, below DIR
            checksum=sha256:HEX   what it must add up to; also sha-256=HEX, as aria2 has it;
                                  sha512, sha1 and md5 are known, too
            size=BYTES            its size: not asked for, and content of another size fails
            header=NAME: VALUE    a header field for it alone
            mirror=URL            another URL of the same content, tried when those before have
                                  failed; may be there several times. What has been fetched
                                  is kept only with a checksum. Logins stay with the first

          --shard K/N takes a part of a list by a hash of each URL, so that machines need not
          talk to each other. Write N out: a Slurm element that is submitted again alone has a
          SLURM_ARRAY_TASK_COUNT of 1, and would fetch everything.

          The sizes of the first few hundred files are asked for before the first transfer,
          those of the others meanwhile. The standard input is read as it is written: what
          comes after a pause is fetched at once, and fails if it would be the file of a line
          before it.

        """

    static let checksums = """
        Checksums:
          FILE of --checksums has a hash and a file's name in each line, in the form of
          sha256sum and its siblings, with one space, two or an asterisk, or in that of BSD,
          SHA256 (name) = HEX; each line is read by itself. The name is the file's path below
          DIR, or the end of its URL's path. SHA-512, SHA-256, SHA-1 and MD5 are known, and of
          several for one file the strongest counts. “checksum=” in a list goes before. A file
          without a line, and a line without a file, are told of and are no failures.

          --verify compares what is there and fetches nothing: a file that is missing, or has
          another size or checksum, is a failure. --failed has a list of those.

        """

    static let places = """
        Where files go:
          To the last part of the URL's path, below DIR; index.html where there is none. With
          --dirs to HOST/PATH. Queries do not count, and no name leaves DIR. Two URLs with one
          file are an error before anything is fetched, unless --rename says otherwise. With
          --content-disposition the server may say what a file is called, not in which folder.

          A file that is there and is what the server has, by size and date, is not fetched
          again: the same command finishes what was interrupted. A file appears under its
          name when it is whole, not before. What was cut off goes on where it stopped, if
          it is still the same on its server; until then it is in name.nqk.part. With
          --rename each run that finds another file under a name makes a new copy, as with
          wget and aria2.

        """

    static let uploads = """
        Where uploads go:
          To the URL, or where that ends with /, below it, under the name of the file. FILE may
          be - for the standard input, which is kept in a file of TMPDIR until it is sent. Links
          to files are sent as the files, links to folders are not followed.

          A list (-i) has the path of a file on each line, and after a tab out=PATH where that
          is to be another one below the URL. Blank lines and lines that begin with # are
          skipped. Lines and files that cannot be read fail, and the others are sent.

        """

    /// The output format of ``JSONLog``; only for the manual page.
    static let json = """
        JSON:
          With --json each line of the standard output is an object. Fields that do not apply
          are left out; more events, fields and errors may come to be, and none of these goes.
            event      start     an item is asked for
                       retry     an attempt has failed, and another follows
                       finish    an item is there
                       fail      an item, or a line of a list, has failed
                       cancel    an item was cancelled
                       summary   the last line: what came of all
            time       when, in UTC: 2026-11-27T13:05:07.250Z
            name       what the item is called: its file, below DIR, or its URL
            url        its URL, without name and password
            mirror     which of its mirrors has served it, or failed, where not “url”
            file       the path of its file, with finish
            status     the status of the response
            size       how large the whole content of a download is; with summary, of the
                       sizes that were asked for, their sum
            bytes      how much content went over the network, in all attempts, of an upload
                       without the answer; with summary, for all items, also those that have
                       failed or were cancelled
            seconds    how long it took; with retry, how long it waits
            attempts   how often it was sent
            current    whether the file was there, and is what the server has; with --verify,
                       whether it is as it should be, where that is known
            reason     why it has failed, for people
            error      the same for programs, with retry and fail:
                       dns, connect, lost, timeout, tls   the way to the server
                       http       a status that is no success
                       login      a server or a proxy asks for credentials
                       redirects, response   too many of them, or one from https to http;
                                             no sound response
                       size, checksum        the content is not what it has to be
                       exists     a file is in the way
                       disk, file, output    full; or it cannot be read or written
                       name       another item has the same file
                       line       a line of a list is wrong
                       resources, other      no free descriptors; all else
            body       what the server has answered to an upload, at most 64 KiB
            total, finished, failed, cancelled, kept
                       with summary: how many items there were, and what came of them;
                       kept ones were there already, and are among the finished
            unchecked  with summary of --verify: how many had neither size nor checksum

          Where the standard output is a terminal, there is no bar. A reader that goes away
          makes the exit code 1; the transfers go on.

        """

    static let exitCodes = """
        Exit codes:
            0   all is well
            1   something failed
           64   the command line is wrong, or what it names cannot be read
          129   SIGHUP; 130 Ctrl-C; 131 Ctrl-\\; 143 SIGTERM

        The first Ctrl-C, or q where a bar is drawn, cancels in order, a second one leaves at
        once. In the background nothing is drawn. Progress and errors go
        to stderr, the summary to stdout. NO_COLOR, CLICOLOR_FORCE, NETRC, SSL_CERT_FILE and
        http_proxy, https_proxy, all_proxy and no_proxy are honoured.

        """

    // MARK: Option table

    /// The options of a command by group, with their descriptions.
    private static func options(_ command: Command) -> String {
        OptionForm.Group.allCases.reduce(into: "") { text, group in
            let forms = Option.allCases.filter { $0.form.group == group && $0.commands.contains(command) }.map(\.form)
            guard !forms.isEmpty else { return }
            text += (text.isEmpty ? "" : "\n") + "\(group.rawValue):\n" + forms.map(paragraph).joined()
        }
    }

    /// The width of most synopses and a gap of two columns.
    private static let indentation = 28
    private static let width = 88

    private static func paragraph(_ form: OptionForm) -> String {
        var lines = ["  \(form.synopsis)"]
        if lines[0].count > indentation - 2 { lines.append("") }
        for word in form.help.split(separator: " ") {
            let last = lines[lines.count - 1]
            let line = last.padded(to: indentation) + (last.count > indentation ? " " : "") + word
            if line.count <= width {
                lines[lines.count - 1] = line
            } else {
                lines.append("".padded(to: indentation) + word)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
