/// An error in the command line, or another one that prevents the program from starting.
struct UsageError: Error, Hashable {
    let message: String
    let code: ExitCode

    init(_ message: String, code: ExitCode = .usage) {
        self.message = message
        self.code = code
    }
}
