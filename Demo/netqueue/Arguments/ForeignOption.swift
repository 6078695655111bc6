/// Advice for options of other programs that netqueue lacks or names differently.
enum ForeignOption {
    /// The advice by option, hyphens included.
    private static let hints = [
        "-c": "the same command continues what was interrupted, without an option",
        "--continue": "the same command continues what was interrupted, without an option",
        "-O": "files have the names of their URLs without an option; -o FILE gives another",
        "--remote-name": "files have the names of their URLs without an option; -o FILE gives another",
        "-J": "--content-disposition takes the name that the server suggests",
        "-k": "certificates are always checked; --cacert FILE trusts other authorities",
        "--insecure": "certificates are always checked; --cacert FILE trusts other authorities",
        "--no-check-certificate": "certificates are always checked; --cacert FILE trusts other authorities",
        "-L": "redirects are followed without an option",
        "--location": "redirects are followed without an option",
        "-x": "--proxy URL goes through a proxy; -j N --split fetches one file in N parts",
        "-s": "-q says nothing but what went wrong; -j N --split fetches one file in N parts",
        "--max-connection-per-server": "-j N --split fetches one file in N parts",
        "--min-split-size": "--split makes parts of 1 MiB or more",
        "--silent": "--quiet says nothing but what went wrong",
        "-P": "-d DIR puts files below a folder; -j N runs so many transfers at a time",
        "-T": "“netqueue upload FILE... URL” sends files",
        "-F": "“netqueue upload --form NAME=@FILE URL” posts a form",
        "-I": "“netqueue sizes URL...” asks for sizes alone",
        "--spider": "“netqueue sizes URL...” asks for sizes alone",
        "--dry-run": "“netqueue sizes URL...” asks for sizes alone",
        "-b": "--cookies FILE begins with the cookies in FILE",
        "--load-cookies": "--cookies FILE begins with the cookies in FILE",
        "--retry": "--retries N tries again up to N times",
        "--tries": "--retries N tries again up to N times",
        "--max-tries": "--retries N tries again up to N times",
        "--max-time": "--timeout S gives up after S seconds of silence, however long the whole takes",
        "--input-file": "-i FILE reads a list",
        "--directory-prefix": "-d DIR puts files below a folder",
        "--directory": "-d DIR puts files below a folder",
        "--max-concurrent-downloads": "-j N runs so many transfers at a time",
        "--no-clobber": "--keep leaves files that are there, --update replaces those that differ",
        "--timestamping": "--update replaces files that are not what the server has",
        "-N": "--update replaces files that are not what the server has",
        "--bwlimit": "--limit-rate RATE limits the speed of all together",
        "--http-user": "-u USER:PASSWORD gives a user and a password",
        "--password": "-u USER:PASSWORD gives a user and a password",
        "--http-password": "-u USER:PASSWORD gives a user and a password",
        "-X": "“netqueue upload” sends files by PUT, and a form by POST",
    ]

    /// The advice for an option; `nil` if there is none.
    static func hint(_ option: String) -> String? { hints[option] }
}
