import Foundation

/// How the program ends, and what it prints then.
struct Ending {
    var code: ExitCode
    /// For the standard output.
    var output = ""
    /// Why the standard output has not taken what was written to it before; `nil` where it has.
    var outputError: POSIXError?
    /// What else has gone wrong, for the standard error below the output; a success with it is a failure.
    var complaint: String?

    /// Prints; what cannot be printed makes a success a failure. A reader that goes away without the summary is no
    /// failure: it has seen what it wanted.
    func settle() -> ExitCode {
        var code = code
        let latest = output.isEmpty ? nil : StandardStream.output.write(output)
        if let error = outputError ?? (latest?.code == .EPIPE ? nil : latest) {
            complain("cannot write to standard output: \(error.reason)", &code)
        }
        if let complaint { complain(complaint, &code) }
        return code
    }

    private func complain(_ text: String, _ code: inout ExitCode) {
        StandardStream.error.write("netqueue: \(text)\n".fitting(.current))
        if code == .success { code = .failure }
    }
}
