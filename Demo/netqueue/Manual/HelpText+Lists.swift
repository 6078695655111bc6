extension HelpText {
    static let lists = """
        Lists:
          One URL per line. Blank lines and lines that start with # are skipped. URLs are read the way browsers read \
        them: percent-encoding stays as it is, and a backslash in a path is a slash. The fields of a URL follow it \
        after tabs, or on indented lines below it:
            out=PATH              its file, below DIR; spaces are part of the path
            checksum=sha256:HEX   the checksum it must have; sha512, sha1 and md5 work too, and so does sha-256=HEX, \
        as in aria2
            size=BYTES            its size: not requested, and content of another size fails
            group=NAME            a group, with a bar and a line of the summary
            stage=N               starts after all files of lower stages have ended, and not at all if one of them \
        fails;
                                  0 if it is missing
            header=NAME: VALUE    a header field for this URL only
            mirror=URL            another URL of the same content, tried when those before it have failed; may be \
        repeated. What is already downloaded is kept only with a checksum. Logins are for the first URL only, except \
        those of --netrc or in the mirror's URL

          A list whose first visible byte is { has a JSON object of at most 1 MiB on each line, with “url” and the \
        keys “out”, “checksum”, “group” (strings), “size”, “stage” (integers), “mirrors” (an array of strings) and \
        “headers” (an object of strings, or of arrays of strings; an empty array suppresses a field). The rules are \
        those of the fields above. A line with another key, with a key that occurs twice or with a value of another \
        type fails. --failed then writes JSON lines, too.

          If FILE of -i or --checksums is a URL, netqueue fetches it first, and ends with 1 if that fails, if it takes \
        longer than the TIME of --stop-after, or if it has more than 64 MiB. Such a list is the text of its server. \
        -u, -H and --cert go to that server, to those of URLs on
          the command line and in lists that are files, and to no others, not
          even after a redirect; --trust-list lifts that. The list may not set Authorization, Cookie or Host, nor a \
        file name with control characters, and one that came by https may not name http URLs. After 10,000 invalid \
        lines, the rest of it is not read. Its URLs may be relative to its own, which is the last one after redirects, \
        without user name and password. What --failed writes of it is a file, whose servers get everything.

          --shard K/N selects a part of the list by a hash of each URL, so that machines need not communicate. Write N \
        as a number: a single element of a Slurm array that is submitted again has a SLURM_ARRAY_TASK_COUNT of 1, and \
        would download everything.

        """
}
