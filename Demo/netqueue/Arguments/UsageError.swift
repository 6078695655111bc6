/// What is wrong with the command line, or has kept the program from beginning.
struct UsageError: Error, Hashable {
    let message: String
    let code: ExitCode

    init(_ message: String, code: ExitCode = .usage) {
        self.message = message
        self.code = code
    }
}
