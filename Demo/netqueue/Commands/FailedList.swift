import Foundation

/// The list of what has failed (`--failed`), for another run with `-i`.
enum FailedList {
    /// Writes it; returns what to say where that cannot be done.
    static func write(_ lines: [String], to path: String?) -> String? {
        guard let path else { return nil }
        do {
            // For its user alone: URLs and header fields may have secrets.
            try SystemFile.write(lines.map { $0 + "\n" }.joined(), to: path, mode: 0o600)
            return nil
        } catch {
            return complaint(path, error)
        }
    }

    static func complaint(_ path: String, _ error: POSIXError) -> String {
        "--failed: “\(path)” cannot be written: \(error.reason)"
    }
}
