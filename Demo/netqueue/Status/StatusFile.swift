import Dashboard
import Foundation
import NetworkQueueKit

/// The file of `--status`, which other programs may read at any time: it is always complete.
final class StatusFile: Sendable {
    /// The end of the names that `--status DIR/` writes and `netqueue status DIR` reads.
    static let suffix = ".netqueue.json"
    /// The time between two writes.
    static let interval = Duration.seconds(1)

    private struct State {
        var status: JobStatus
        var hasWarned = false
    }

    let path: String
    private let warn: @Sendable (String) -> Void
    private let state: Locked<State>

    /// Writes nothing yet.
    ///
    /// - Parameters:
    ///   - target: The file, or the folder of the file if it ends with a slash.
    ///   - warn: Called with the first error.
    init(
        _ target: String, shard: Options.Shard?, warn: @escaping @Sendable (String) -> Void
    ) throws(UsageError) {
        let host = JobStatus.hostName.replacing("/", with: "-")
        let name = shard.map { "\($0.number)-of-\($0.count)" } ?? "\(host)-\(getpid())"
        path = target.ends(withBytesOf: "/") ? target + name + Self.suffix : target
        self.warn = warn
        state = Locked(State(status: JobStatus(shard: shard?.text)))
        if let obstacle { throw UsageError("--status: “\(path)” \(obstacle)") }
    }

    /// The reason why the file cannot be written; `nil` if none is known. Only a regular file is replaced.
    private var obstacle: String? {
        switch POSIXFile.status(path)?.kind {
        case S_IFDIR?: return "is a folder; end it with / for a file in it"
        case let kind? where kind != S_IFREG: return "is not a regular file"
        case nil where errno != ENOENT: return "cannot be written: \(POSIXError.last.reason)"
        default: return POSIXFile.obstacle(toCreating: path).map { "cannot be written: \($0.reason)" }
        }
    }

    /// Writes the progress. Later calls than ``end(_:)`` have no effect.
    func write(_ progress: NetworkQueue.Progress) {
        state.withLock { state in
            guard state.status.exit == nil else { return }
            state.status.progress = progress
            write(&state)
        }
    }

    /// Writes the outcome, with the bytes of the latest progress.
    func end(_ report: JobReport, _ code: ExitCode) {
        state.withLock { state in
            let last = state.status.progress
            state.status.progress = .init(
                phase: .finished, counts: report.counts, download: last.download, upload: last.upload,
                fractionCompleted: 1)
            state.status.exit = code.rawValue
            write(&state)
        }
    }

    private func write(_ state: inout State) {
        state.status.sequence += 1
        do {
            try replace(with: Array(JSONLog.line(state.status).utf8), run: state.status.run)
        } catch {
            guard !state.hasWarned else { return }
            state.hasWarned = true
            let reason = (error as? POSIXError)?.reason ?? "\(error)"
            warn("netqueue: --status: “\(path)” cannot be written: \(reason)".withoutControls().fitting(.current))
        }
    }

    /// Replaces the file at once, so that a reader never sees a part of it.
    private func replace(with content: [UInt8], run: String) throws(POSIXError) {
        // Two processes may write to the same file, such as a job and the one that replaces it.
        let new = "\(path).\(run.prefix(8)).new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last }
        try POSIXFile.replace(path, by: new, descriptor, with: content)
    }
}

extension JSONLog {
    /// A value as one line of JSON that cannot control a terminal.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
    }
}
