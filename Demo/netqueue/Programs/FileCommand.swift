import Foundation
import NetworkQueueKit

/// Runs the command of `--exec` for files that are complete, or that existed and are kept.
struct FileCommand: StoredFileProcessor {
    /// Why a command has failed.
    struct Failure: Error, Sendable {
        /// What the command did wrong, such as `ended with status 3`.
        let fault: String
        /// The last line that it has written.
        let lastLine: String

        var reason: String {
            "the command of --exec \(fault)" + (lastLine.isEmpty ? "" : ": " + lastLine.shortened(to: 300))
        }
    }

    let command: UserCommand
    /// Called with each line that a command writes.
    var tell: @Sendable (String) -> Void = { _ in }

    /// - Parameter count: The maximum number of commands at a time.
    init(_ text: String, atMost count: Int) throws(UsageError) {
        command = try UserCommand(text, of: "--exec", atMost: count)
    }

    func process(_ response: Response, in context: AttemptContext) async throws -> Response {
        guard let file = response.fileURL?.path(percentEncoded: false) else { return response }
        let outcome = await command.run(
            file: file, url: context.request.url, isKept: response.wasKept, tell: tell)
        if let fault = outcome.fault { throw Failure(fault: fault, lastLine: outcome.lastLine) }
        return response
    }
}
