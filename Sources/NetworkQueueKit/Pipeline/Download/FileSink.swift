import Dispatch
import Foundation

/// Writes content to a part beside its destination, and moves it there in one step when it is complete.
final class FileSink: BodySink, @unchecked Sendable {  // see BodySink
    /// Finishes files, so that waiting for a disk does not block the transport's thread.
    static let queue = DispatchQueue(label: "NetworkQueueKit.files", attributes: .concurrent)

    private let part: PartFile
    private let plan: FilePlan
    private let flush: FlushTime
    /// Writes in the background. `nil` for a part that is read again: all its bytes must be written when the last one
    /// arrives.
    private let writer: WriteBehind?

    /// Creates a sink that appends to a part.
    ///
    /// - Parameter plan: its `sidecar` must be set only if that sidecar is beside the part.
    init(_ part: PartFile, _ plan: FilePlan) {
        self.part = part
        self.plan = plan
        flush = plan.flushTime
        writer = plan.isReadAgain ? nil : WriteBehind { bytes throws(NetworkError) in try part.append(bytes) }
    }

    /// Creates a sink for the whole content.
    ///
    /// - Parameter part: a part from an earlier attempt, whose content is overwritten.
    convenience init(startingOver part: PartFile?, _ plan: FilePlan) throws(NetworkError) {
        let part = if let part { part } else { try PartFile.make(plan.names) }
        var plan = plan
        do {
            if try !part.restart(as: plan.sidecar) { plan.sidecar = nil }
        } catch {
            part.remove()
            throw error
        }
        self.init(part, plan)
    }

    deinit { abandon() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        if let writer { try writer.write(bytes) } else { try part.append(bytes) }
        return .proceed
    }

    /// Writes on this thread, for a sink that is about to be published or abandoned.
    func writeAtOnce(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) { try part.append(bytes) }

    func finish() -> SinkCompletion {
        .pending { [self] report in
            guard let writer else { return Self.queue.async { [self] in report(outcome(nil)) } }
            writer.whenWritten { [self] failure in report(outcome(failure)) }
        }
    }

    /// Publishes content that is completely written. After a failure it abandons the part, so a later run can continue
    /// what was written.
    private func outcome(_ failure: NetworkError?) -> SinkCompletion.Outcome {
        guard let failure else { return Result { () throws(NetworkError) in try publish() } }
        abandon()
        return .failure(failure)
    }

    func abandon() {
        // Settle the pending writes first: a retry looks for the part at once.
        writer?.settle()
        guard part.isOpen else { return }
        if let sidecar = plan.sidecar, part.length > 0 { part.keep(sidecar) } else { part.remove() }
    }

    func discard() {
        writer?.drop()
        part.remove()
    }

    /// Moves the file to its destination.
    func publish() throws(NetworkError) -> StoredContent {
        guard plan.total == nil || part.length == plan.total else {
            discard()
            throw NetworkError(.badServerResponse)
        }
        if let minimumSize = plan.minimumSize, part.length < minimumSize {
            let size = part.length
            discard()
            throw .mismatch(.size(expected: minimumSize, actual: size))
        }
        let place = try part.publish(
            plan.policy, modified: plan.modified, keepsTwin: plan.keepsTwin, beside: plan.stored, flush)
        return StoredContent(place)
    }
}

extension StoredContent {
    init(_ place: FilePlace) {
        self.init(fileURL: URL(filePath: place.path, directoryHint: .notDirectory), isKept: place.isKept)
    }
}

/// How to store the content of a response in a file.
struct FilePlan: Sendable {
    let names: PartNames
    let policy: Destination.ConflictPolicy
    /// What the other operations of the run have stored.
    var stored = StoredFiles.View()
    /// Describes the part while it grows; `nil` if the part cannot be continued later.
    var sidecar: Sidecar?
    /// The length of the finished file, if it is certain.
    let total: Int64?
    /// The smallest size that the finished file may have.
    var minimumSize: Int64?
    /// The server's modification date of the content.
    var modified: Date?
    /// Whether a lookup found no part.
    var isPartMissing = false
    /// Whether to keep a file that has appeared at the destination during the download with the same content, for
    /// instance from another run.
    var keepsTwin = false
    /// Whether the part is read again before it gets its final name.
    var isReadAgain = false

    /// When the file is flushed. To be decided before the first write; see ``UnflushedFiles/Volume/descriptor``.
    var flushTime: FlushTime { stored.flushTime(in: names.folder, size: total) }
}
