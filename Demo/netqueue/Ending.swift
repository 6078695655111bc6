import Foundation

/// The program's exit code and final output.
struct Ending {
    var code: ExitCode
    /// The text for the standard output.
    var output = ""
    /// The error of earlier writes to the standard output; `nil` if there was none.
    var outputError: POSIXError?
    /// Another problem, printed to the standard error after the output; it turns a success into a failure.
    var complaint: String?

    /// The exit code, unless the output cannot be printed.
    var expectedCode: ExitCode { outputError == nil && complaint == nil ? code : code.spoiled }

    /// Prints the output and returns the exit code; a write error turns a success into a failure. A reader that closes
    /// its pipe before the summary is not a failure: it has seen what it wanted.
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
        code = code.spoiled
    }
}

extension ExitCode {
    /// The code after another problem.
    fileprivate var spoiled: ExitCode { self == .success || self == .stopped ? .failure : self }
}
