/// An error in the command line, or another one that prevents the program from starting.
struct UsageError: Error, Hashable {
    let message: String
    let code: ExitCode

    /// What a message says of a file that is not read.
    static let isUTF16 = "is UTF-16; convert it to UTF-8, as with “iconv -f UTF-16 -t UTF-8”"

    init(_ message: String, code: ExitCode = .usage) {
        self.message = message
        self.code = code
    }
}
