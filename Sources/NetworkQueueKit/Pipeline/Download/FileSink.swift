import Dispatch
import Foundation

/// Writes content to a part beside its destination, and moves it there in one step when it is whole.
final class FileSink: BodySink, @unchecked Sendable {  // see BodySink
    /// Where files are finished: waiting for a disk must not hold up the transport's thread.
    static let queue = DispatchQueue(label: "NetworkQueueKit.files", attributes: .concurrent)

    private let part: PartFile
    private let policy: Destination.ConflictPolicy
    /// What stands beside the part; `nil` when it cannot be continued later.
    private let sidecar: Sidecar?
    /// How long the part will be, where that is certain.
    private let total: Int64?
    /// When the content was last modified, as its server says.
    private let modified: Date?

    init(
        _ part: PartFile, onConflict policy: Destination.ConflictPolicy, sidecar: Sidecar?, total: Int64?,
        modified: Date? = nil
    ) {
        self.part = part
        self.policy = policy
        self.sidecar = sidecar
        self.total = total
        self.modified = modified
    }

    deinit { abandon() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        try part.append(bytes)
        return .proceed
    }

    func finish() -> Delivery {
        .pending { [self] report in
            Self.queue.async { [self] in report(Result { () throws(NetworkError) in try publish() }) }
        }
    }

    func abandon() {
        guard part.isOpen else { return }
        if let sidecar, part.length > 0 { part.keep(sidecar) } else { part.remove() }
    }

    func discard() { part.remove() }

    private func publish() throws(NetworkError) -> DeliveredContent {
        guard total == nil || part.length == total else {
            discard()
            throw NetworkError(.badServerResponse)
        }
        return DeliveredContent(
            fileURL: URL(filePath: try part.publish(policy, modified: modified), directoryHint: .notDirectory))
    }
}
