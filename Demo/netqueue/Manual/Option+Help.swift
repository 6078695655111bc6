extension Option {
    /// The description in the help of one command. That of ``form``, for the manual page, describes all commands.
    func help(for command: Command) -> String {
        switch (self, command) {
        case (.input, .upload):
            "Read the files to send from FILE, one per line, as described below; - means standard input."
        case (.input, _): "Read URLs from FILE, one per line, as described below; - means standard input."
        case (.user, .download), (.user, .sizes):
            "Use these credentials when a host of the URLs asks for some. They are not sent before that; user and "
                + "password in a URL are sent at once. A missing password is asked for at the terminal."
        case (.jobs, .demo): "Run N transfers at a time (default: 6)."
        case (.jobs, _): "Run N transfers at a time (default: 4)."
        case (.checkers, .sizes): "Request N sizes at a time (default: 16)."
        case (.sizing, .demo):
            "Do not request sizes before the downloads start. Until all sizes are known, the percentage counts files, "
                + "and total and ETA are estimates or missing."
        case (.lifo, .upload): "Start with the last file."
        case (.lifo, _): "Start with the last URL."
        case (.retries, .download), (.retries, .sizes): Self.retriesHelp(ofForm: "")
        case (.shard, .sizes): "Select part K of N of the list, 1 to N: disjoint parts, the same on every machine."
        case (.quiet, .sizes): "Print the table and errors only."
        case (.quiet, _): "Print errors only."
        default: form.help
        }
    }

    /// - Parameter form: A sentence about uploads with `--form`, with the space after it.
    static func retriesHelp(ofForm form: String) -> String {
        "Retry up to N times after temporary failures (default: 3), sooner if the server or the network comes back; "
            + "0: never. " + form
            + "If a server cannot be reached, its transfers are retried for 30 seconds, or for N times --retry-delay if "
            + "that is longer, and after that each is tried just once."
    }
}
