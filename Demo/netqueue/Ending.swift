import Foundation

/// How the program ends, and what it prints then.
struct Ending {
    var code: ExitCode
    /// For the standard output.
    var output = ""

    /// Prints; what cannot be printed makes a success a failure. A reader that has gone away is not a failure.
    func settle() -> ExitCode {
        guard let error = StandardStream.output.write(output), error.code != .EPIPE else { return code }
        StandardStream.error.write("netqueue: cannot write to standard output: \(error.reason)\n")
        return code == .success ? .failure : code
    }
}
