import Dashboard
import Foundation
import NetworkQueueKit

/// The list of failed transfers (`--failed`), for another run with `-i`.
enum FailedList {
    /// Writes invalid lines and the lines of files that were not transferred. Returns a complaint if that fails.
    static func write(_ wrong: some Sequence<String>, _ lines: some Sequence<String>, to path: String?) -> String? {
        guard let path else { return nil }
        do {
            // Fields without a URL come first, since behind a URL they would become its fields.
            let orphans = wrong.filter { $0.isIndented }
            let others = wrong.lazy.filter { !$0.isIndented }
            // Readable only by the user: URLs and header fields may contain secrets.
            let text = [AnySequence(orphans), AnySequence(others), AnySequence(lines)].joined()
                .reduce(into: []) { $0 += ($1 + "\n").utf8 }
            try POSIXFile.write(text, to: path, mode: 0o600)
            return nil
        } catch {
            return complaint(path, error)
        }
    }

    static func complaint(_ path: String, _ error: POSIXError) -> String { error.complaint(writing: path, "--failed") }
}

extension POSIXError {
    /// The complaint about the file of an option.
    func complaint(writing path: String, _ option: String) -> String {
        "\(option): “\(path.withoutControls())” cannot be written: \(reason)"
    }
}
