/// What `--help` and `--version` print.
enum HelpText {
    static let version = "0.1.0"

    static let full = """
        Downloads files through one queue, with one progress for all of them.

        Usage:
          netqueue [options] URL...          download these
          netqueue [options] -i FILE         download what a file lists
          netqueue demo [options]            watch it work, with a server of its own

        Options:
          -o, --output DIR      put the files there, and create it if need be (default: .)
          -j, --jobs N          so many at a time (default: 4; demo: 6)
              --checkers N      ask for so many sizes at a time (default: 16)
          -i, --input FILE      read URLs from FILE, one a line; - is the standard input.
                                Blank lines and lines that begin with # are skipped.
              --overwrite       replace files that are there; without it the new one is
                                called name-2.ext, name-3.ext, ...
              --no-sizing       do not ask for sizes before the downloads begin
              --retries N       try again up to N times after failures that may pass
                                (default: 0), sooner when server or network have come back
              --retry-delay S   wait S seconds before each of them; without it, a random
                                time that grows from half a second to a minute
              --progress WHEN   auto (default): a bar on a terminal, lines elsewhere;
                                always: a bar in any case; never: none
          -q, --quiet           say nothing but what went wrong
          -h, --help            print this
              --version         print the version

        Options of the demo:
              --files N         so many files (default: 240)
              --seconds S       take about so long (default: 10); 0 is as fast as it goes

        Where the files go:
          One URL goes to DIR under the last part of its path. Several keep their paths
          below the deepest folder that all of them share, so a list of a tree's files
          gives that tree. With several hosts each gets a folder. A path that ends with
          a slash becomes index.html. Queries do not count. No name leaves DIR.

        A file appears under its name when it is whole, not before. What was cut off, by
        whatever, goes on where it stopped the next time, if the file is still the same on
        its server; until then it is in name.nqk.part. One failure does not stop the
        others; all are listed at the end. Progress and errors go to stderr, the summary
        to stdout. NO_COLOR and CLICOLOR_FORCE are honoured.

        Exit codes: 0 all is well, 1 something failed, 2 wrong usage, 130 after Ctrl-C.
        The first Ctrl-C cancels in order, a second one leaves at once.

        """
}
