import Dispatch
import Foundation

/// Writes content to a part beside its destination, and moves it there in one step when it is whole.
final class FileSink: BodySink, @unchecked Sendable {  // see BodySink
    /// Where files are finished: waiting for a disk must not hold up the transport's thread.
    static let queue = DispatchQueue(label: "NetworkQueueKit.files", attributes: .concurrent)

    private let part: PartFile
    private let plan: FilePlan
    /// Of a part that is read again, all must be written when the last bytes have come.
    private let writer: WriteBehind?

    /// A sink that goes on behind what is in the part.
    ///
    /// - Parameter plan: with a sidecar if that stands beside the part.
    init(_ part: PartFile, _ plan: FilePlan) {
        self.part = part
        self.plan = plan
        writer = plan.isReadAgain ? nil : WriteBehind { bytes throws(NetworkError) in try part.append(bytes) }
    }

    /// A sink for the whole content.
    ///
    /// - Parameter part: what a former attempt has left; its content means nothing.
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

    /// The same for one that is about to be published or abandoned, on this thread.
    func writeAtOnce(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) { try part.append(bytes) }

    func finish() -> SinkCompletion {
        .pending { [self] report in
            guard let writer else { return Self.queue.async { [self] in report(outcome(nil)) } }
            writer.whenWritten { [self] failure in report(outcome(failure)) }
        }
    }

    /// What comes of content that is all written, or has met with a failure: then a later run goes on with what has
    /// found room.
    private func outcome(_ failure: NetworkError?) -> SinkCompletion.Outcome {
        guard let failure else { return Result { () throws(NetworkError) in try publish() } }
        abandon()
        return .failure(failure)
    }

    func abandon() {
        // A retry looks for the part at once.
        writer?.settle()
        guard part.isOpen else { return }
        if let sidecar = plan.sidecar, part.length > 0 { part.keep(sidecar) } else { part.remove() }
    }

    func discard() {
        writer?.drop()
        part.remove()
    }

    /// Moves the file to its place.
    func publish() throws(NetworkError) -> StoredContent {
        guard plan.total == nil || part.length == plan.total else {
            discard()
            throw NetworkError(.badServerResponse)
        }
        return StoredContent(try part.publish(plan.policy, modified: plan.modified, keepsTwin: plan.keepsTwin))
    }
}

extension StoredContent {
    init(_ place: FilePlace) {
        self.init(fileURL: URL(filePath: place.path, directoryHint: .notDirectory), isKept: place.isKept)
    }
}

/// What is to become of the content of a response that goes to a file.
struct FilePlan: Sendable {
    let names: PartNames
    let policy: Destination.ConflictPolicy
    /// What stands beside the part while it grows; `nil` when it cannot be continued later.
    var sidecar: Sidecar?
    /// How long the file will be, where that is certain.
    let total: Int64?
    /// When the content was last modified, as its server says.
    var modified: Date?
    /// Whether it has been looked for a part, and there was none.
    var isPartMissing = false
    /// Whether a file that has come under the name meanwhile is kept if it has the same content, as that of another run
    /// has.
    var keepsTwin = false
    /// Whether the part is read once more before it gets its name.
    var isReadAgain = false
}
