import Dashboard
import Foundation
import NetworkQueueKit

/// The list of failed transfers (`--failed`), for another run with `-i`.
enum FailedList {
    /// What the list says of a failure.
    enum Line: Hashable, Sendable {
        case entry(ListEntry)
        /// One or more lines that are repeated as they are.
        case text(String)

        func text(isJSON: Bool = false) -> String {
            switch self {
            case .entry(let entry): isJSON ? JSONLine.text(entry) : entry.line
            case .text(let text): text
            }
        }
    }

    /// Writes the lines of failures that had no request, and those of files that were not transferred. Returns a
    /// complaint if that fails.
    ///
    /// - Parameter isJSON: Whether to write JSON lines, because one of the lists had them.
    static func write(
        _ failures: [JobFailure], _ lines: some Sequence<Line>, isJSON: Bool = false, to path: String?
    ) -> String? {
        guard let path else { return nil }
        do {
            // Lines of the other form come last, since the first byte decides which form a list has.
            let wrong = failures.compactMap { $0.lines?.text(isJSON: isJSON) }
            let isFitting = { (line: String) in (line.utf8.firstVisible == UInt8(ascii: "{")) == isJSON }
            let fitting = wrong.filter(isFitting)
            // Fields without a URL come first, since behind a URL they would become its fields.
            let orphans = fitting.filter { $0.isIndented }
            let others = fitting.lazy.filter { !$0.isIndented }
            let lines = lines.lazy.map { $0.text(isJSON: isJSON) }
            let rest = wrong.filter { !isFitting($0) }
            // Readable only by the user: URLs and header fields may contain secrets.
            let text = [AnySequence(orphans), AnySequence(others), AnySequence(lines), AnySequence(rest)].joined()
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
