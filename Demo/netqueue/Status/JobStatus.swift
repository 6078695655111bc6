import Foundation
import NetworkQueueKit

/// The content of a status file: how far one machine's job is. It names no URL, path or file.
struct JobStatus: Codable, Equatable, Sendable {
    /// The version of this form. It rises only if a field changes its meaning.
    var v = JobStatus.version
    /// Identifies the process. A job that is started again has another one.
    var run = UUID().uuidString.lowercased()
    /// The time of the start in UTC (RFC 3339).
    var started = LogTime.now
    /// Increases with every write.
    var sequence = 0
    var host = JobStatus.hostName
    /// The part of the list that the job downloads, as K/N.
    var shard: String?
    var progress = NetworkQueue.Progress()
    /// The exit code; `nil` until the job has ended.
    var exit: Int32?

    static let version = 1

    /// The host's name. Foundation might ask a name server for it.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The time of the start; `nil` if it is invalid.
    var start: Date? { try? LogTime.style.parse(started) }

    /// The part of the list; `nil` for a job without one.
    var part: Options.Shard? { shard.flatMap { OptionValue.shard($0) } }
}

extension JobStatus {
    /// The reason why a file has no status.
    struct Fault: Error, Equatable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private struct Version: Decodable {
        let v: Int
    }

    /// Decodes a file. Its numbers may be anyone's, so those that no job can have are rejected.
    static func decode(_ content: Data) throws(Fault) -> JobStatus {
        let decoder = JSONDecoder()
        if let version = try? decoder.decode(Version.self, from: content).v, version > Self.version {
            throw Fault("was written by a newer netqueue (v \(version))")
        }
        guard let status = try? decoder.decode(JobStatus.self, from: content), status.isPlausible else {
            throw Fault("is not a status file of netqueue")
        }
        return status
    }

    private var isPlausible: Bool {
        let (counts, download, upload) = (progress.counts, progress.download, progress.upload)
        var numbers = [
            counts.total, counts.waiting, counts.running, counts.paused, counts.retrying, counts.finished,
            counts.failed, counts.cancelled, sequence,
        ].map { Int64($0) }
        numbers += [download.transferred, download.expected ?? 0, upload.transferred, upload.expected ?? 0]
        if case .sizing(let completed, let total) = progress.phase { numbers += [Int64(completed), Int64(total)] }
        return v == Self.version && numbers.allSatisfy { $0 >= 0 } && (0...1).contains(progress.fractionCompleted)
            && (progress.bytesPerSecond ?? 0) >= 0 && start != nil && (shard == nil || part != nil)
    }
}
