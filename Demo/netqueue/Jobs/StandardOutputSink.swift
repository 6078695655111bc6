import Foundation
import NetworkQueueKit

/// Writes content to the standard output as it arrives.
final class StandardOutputSink: DownloadSink {
    private let hasWritten = Locked(false)

    func write(_ chunk: Data) throws {
        hasWritten.withLock { $0 = true }
        if let error = StandardStream.output.write(chunk) { throw error }
    }

    /// False after the first write, because the reader's data cannot be taken back.
    func mayStartOver() -> Bool { !hasWritten.withLock { $0 } }
}
