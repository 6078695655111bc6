extension HelpText {
    static let uploadLists = """
        Lists of uploads:
          What --failed writes is a list for -i, also after Ctrl-C: a line for each
          file that was not sent, with its path and, as out=, its path below the URL. So the next run, in the same \
        folder, with the same URL and with -r if it was given, puts each file where it would have gone. Lines that \
        cannot be read are repeated. Three kinds of files cannot be in a list, and are reported: those with a tab or a \
        line break in their name or that of a folder, those whose name is not UTF-8, and links to folders inside a \
        folder.

          --shard K/N selects files by a hash of their path below the URL, after folders have been replaced by the \
        files in them. So machines need not communicate, and may have the folder in different places, but each of them \
        needs all the files.

          --write-checksums reads each file again after it has been sent, and at the end replaces its FILE in one \
        step. The names in it are paths below the URL, so that it can be given to --checksums or, in a copy of the \
        folder, to sha256sum -c. A file that the server had already was not sent, and is not in it. If a file changes \
        between the start of its upload and the end of reading it, the list lacks it, and the exit code is 1.

        """
}
