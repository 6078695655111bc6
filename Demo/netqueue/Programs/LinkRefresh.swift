import Foundation
import NetworkQueueKit

/// Gets new URLs from the command of `--refresh` for those that servers refuse.
struct LinkRefresh: Sendable {
    /// The reason why the command gave no new URL.
    struct Failure: Error, Sendable {
        let reason: String
    }

    private static let patience = Duration.seconds(60)
    private static let mostProcesses = 4
    private static let longestLine = 300

    let command: UserCommand

    init(_ text: String) throws(UsageError) {
        command = try UserCommand(
            text, of: "--refresh", atMost: Self.mostProcesses, patience: Self.patience)
    }

    /// The new URL of an item.
    ///
    /// - Parameter file: The absolute path of the item's file, if it has one.
    func url(insteadOf expired: URL, file: String?) async throws(Failure) -> URL {
        let outcome = await command.run(file: file, url: expired, isLastWord: true)
        func failure(_ text: String) -> Failure {
            let line = outcome.lastLine.isEmpty ? "" : ": " + outcome.lastLine.shortened(to: Self.longestLine)
            return Failure(reason: "the command of --refresh \(text)\(line)")
        }
        if let fault = outcome.fault { throw failure(fault) }
        let line = outcome.output.prefix { $0 != UInt8(ascii: "\n") }
        guard let url = URLText.url(String(bytes: line)) else {
            throw failure("printed no http or https URL on its first line")
        }
        if expired.scheme?.lowercased() == "https", url.scheme == "http" {
            throw failure("printed an http URL in place of an https one")
        }
        return url
    }
}
