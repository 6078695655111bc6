import Foundation

/// Keeps the content of a small file in memory until it is complete, and then creates the file off the transport's
/// thread.
///
/// Most system calls for a small file concern its part, the sidecar and their names, in case the download is
/// interrupted. This sink makes them only when that happens. On a disk, 5,000 small files take several times as long if
/// each has a part.
final class SmallFileSink: BodySink, @unchecked Sendable {  // see BodySink
    /// The size of the largest file handled this way. A killed process loses up to this much of a file; as much may be
    /// in transit from the network anyway.
    static let maximumSize: Int64 = 64 * 1024

    private let plan: FilePlan
    private let total: Int
    private var content: [UInt8] = []
    private var hasEnded = false

    /// Fails unless the file is known to be small.
    init?(_ plan: FilePlan) {
        guard let total = plan.total, total <= Self.maximumSize else { return nil }
        self.plan = plan
        self.total = Int(total)
        content.reserveCapacity(self.total)
    }

    deinit { abandon() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        // A custom transport may deliver more than the head announced.
        guard content.count + bytes.count <= total else { throw NetworkError(.badServerResponse) }
        content.append(contentsOf: bytes)
        return .proceed
    }

    func finish() -> SinkCompletion {
        hasEnded = true
        return .pending { [self] report in
            FileSink.queue.async { [self] in report(Result { () throws(NetworkError) in try makeFile() }) }
        }
    }

    private func makeFile() throws(NetworkError) -> StoredContent {
        guard let place = try makeUnnamed() else { return try makePart(isDescribed: false).publish() }
        return StoredContent(place)
    }

    /// Creates the file without a part and returns its place; `nil` if that is impossible or there is a part to
    /// replace.
    private func makeUnnamed() throws(NetworkError) -> FilePlace? {
        let (folder, flush) = (plan.names.folder, plan.flushTime)
        guard content.count == total, plan.isPartMissing || POSIXFile.status(plan.names.part) == nil,
            let file = UnnamedFile(in: folder)
        else { return nil }
        let code = content.withUnsafeBytes { file.store($0, modified: plan.modified, flush) }
        guard code == 0 else { throw .fileSystem(code, path: plan.names.destination) }
        var linkCode = Int32(0)
        do {
            let place = try FileMove.choosePlace(
                plan.names, onConflict: plan.policy, beside: plan.stored, isTwin: isTwin
            ) { path in
                linkCode = file.link(to: path)
                return linkCode
            }
            guard !place.isKept else { return place }
            flush.leave(file.descriptor, in: folder)
            flush.flush(folder: folder)
            return place
        } catch {
            // Fall back to a part, which can overwrite and needs no links. Only a taken name under another policy is
            // final.
            guard linkCode == EEXIST, plan.policy.settled != .overwrite else { return nil }
            throw error
        }
    }

    private func isTwin(_ path: String) -> Bool {
        plan.keepsTwin
            && POSIXFile.hasFile(path, size: Int64(total)) { [content] bytes, offset in
                content.withUnsafeBytes { own in
                    let end = Int(offset) + bytes.count
                    return POSIXFile.areEqual(bytes, UnsafeRawBufferPointer(rebasing: own[Int(offset)..<end]))
                }
            }
    }

    func abandon() {
        guard !hasEnded else { return }
        hasEnded = true
        guard plan.sidecar != nil, !content.isEmpty else { return }
        // If there is no space for the part, a later attempt starts over.
        try? makePart(isDescribed: true).abandon()
    }

    func discard() { hasEnded = true }

    /// Writes the received bytes to a part and returns its sink.
    private func makePart(isDescribed: Bool) throws(NetworkError) -> FileSink {
        var plan = plan
        if !isDescribed { plan.sidecar = nil }
        let sink = try FileSink(startingOver: nil, plan)
        let outcome = content.withUnsafeBytes { bytes in
            Result { () throws(NetworkError) in try sink.writeAtOnce(bytes) }
        }
        content = []
        if case .failure(let error) = outcome {
            sink.discard()
            throw error
        }
        return sink
    }
}
