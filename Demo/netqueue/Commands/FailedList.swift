import Foundation

/// The list of what has failed (`--failed`), for another run with `-i`.
enum FailedList {
    /// Writes it: wrong lines, and those of what has not been fetched. Returns what to say where that cannot be done.
    static func write(_ wrong: some Sequence<String>, _ lines: some Sequence<String>, to path: String?) -> String? {
        guard let path else { return nil }
        do {
            // For its user alone: URLs and header fields may have secrets.
            let text = [AnySequence(wrong), AnySequence(lines)].joined().reduce(into: []) { $0 += ($1 + "\n").utf8 }
            try SystemFile.write(text, to: path, mode: 0o600)
            return nil
        } catch {
            return complaint(path, error)
        }
    }

    static func complaint(_ path: String, _ error: POSIXError) -> String {
        "--failed: “\(path)” cannot be written: \(error.reason)"
    }
}
