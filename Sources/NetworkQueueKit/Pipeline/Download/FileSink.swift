import Dispatch
import Foundation

/// Writes content to a part beside its destination, and moves it there in one step when it is whole.
final class FileSink: BodySink, @unchecked Sendable {  // see BodySink
    /// Where files are finished: waiting for a disk must not hold up the transport's thread.
    static let queue = DispatchQueue(label: "NetworkQueueKit.files", attributes: .concurrent)

    private let part: PartFile
    private let plan: FilePlan

    /// A sink that goes on behind what is in the part.
    ///
    /// - Parameter plan: with a sidecar if that stands beside the part.
    init(_ part: PartFile, _ plan: FilePlan) {
        self.part = part
        self.plan = plan
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
        if let sidecar = plan.sidecar, part.length > 0 { part.keep(sidecar) } else { part.remove() }
    }

    func discard() { part.remove() }

    /// Moves the file to its place.
    func publish() throws(NetworkError) -> DeliveredContent {
        guard plan.total == nil || part.length == plan.total else {
            discard()
            throw NetworkError(.badServerResponse)
        }
        let place = try part.publish(plan.policy, modified: plan.modified)
        return DeliveredContent(fileURL: URL(filePath: place, directoryHint: .notDirectory))
    }
}
