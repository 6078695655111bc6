/// What `--help` and `--version` print.
enum HelpText {
    static let version = "0.1.0"

    /// Of what the help tells.
    enum Topic: Hashable {
        case download
        case demo
    }

    static func text(_ topic: Topic) -> String {
        switch topic {
        case .download: [download, options { $0.form.group != .demo }, notes].joined(separator: "\n")
        case .demo: [demo, options(\.isForDemo)].joined(separator: "\n")
        }
    }

    private static let download = """
        Downloads files through one queue, with one progress for all of them.

        Usage:
          netqueue [options] URL...          download these
          netqueue [options] -i FILE         download what a list has
          netqueue demo [options]            watch it work, with a server of its own

        Examples:
          netqueue https://example.com/a.iso https://example.com/b.iso
          netqueue -o disk.iso --checksum sha256:9f86... https://example.com/a.iso
          netqueue -d mirror --dirs --strip 1 -j 8 --failed again.txt -i list.txt
          netqueue -o - https://example.com/data.json | jq .

        """

    private static let demo = """
        Downloads files from a server of its own, and checks every byte.

        Usage:
          netqueue demo [options]

        """

    private static let notes = """
        Lists:
          One URL a line. Blank lines and lines that begin with # are skipped. What belongs
          to a URL stands behind it, after tabs, or as lines of their own that are indented:
            out=PATH              its file, below DIR
            checksum=sha256:HEX   what it must add up to; also sha-256=HEX, as aria2 has it
            size=BYTES            its size, which is not asked for then
            header=NAME: VALUE    a header field for it alone

        Where files go:
          To the last part of the URL's path, below DIR; index.html where there is none. With
          --dirs to HOST/PATH. Queries do not count, and no name leaves DIR. Two URLs with one
          file are an error before anything is fetched, unless --rename says otherwise.

          A file that is there and is what the server has, by size and date, is not fetched
          again: the same command finishes what was interrupted. A file appears under its
          name when it is whole, not before. What was cut off goes on where it stopped, if
          it is still the same on its server; until then it is in name.nqk.part.

        Exit codes:
            0   all is well
            1   something failed
           64   the command line is wrong
          129   SIGHUP, 130 Ctrl-C, 131 Ctrl-\\, 143 SIGTERM

        The first Ctrl-C cancels in order, a second one leaves at once. Progress and errors go
        to stderr, the summary to stdout. NO_COLOR, CLICOLOR_FORCE, NETRC, SSL_CERT_FILE and
        http_proxy, https_proxy, all_proxy and no_proxy are honoured.

        """

    /// The options of the table by groups, each with what it does beside it.
    private static func options(_ isIncluded: (Option) -> Bool) -> String {
        OptionForm.Group.allCases.reduce(into: "") { text, group in
            let forms = Option.allCases.filter { $0.form.group == group && isIncluded($0) }.map(\.form)
            guard !forms.isEmpty else { return }
            text += "\(group.rawValue):\n" + forms.map(paragraph).joined() + "\n"
        }
    }

    /// As wide as the synopsis of most options, and two columns between.
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
