/// What to say to options of other programs that netqueue does without, or calls by another name.
enum ForeignOption {
    /// By the name as it is typed, with its hyphens.
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
        "-x": "--proxy URL goes through a proxy; -j N runs so many transfers at a time",
        "-s": "-q says nothing but what went wrong",
        "--silent": "--quiet says nothing but what went wrong",
        "-P": "-d DIR puts files below a folder; -j N runs so many transfers at a time",
        "-T": "“netqueue upload FILE... URL” sends files",
        "-F": "“netqueue upload --form NAME=@FILE URL” posts a form",
        "-I": "“netqueue sizes URL...” asks for sizes alone",
    ]

    /// What to do in its place; `nil` where that is not known.
    static func hint(_ option: String) -> String? { hints[option] }
}
