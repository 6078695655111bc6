import Foundation

/// Keeps the content of a small file in memory until it is whole, and makes the file in one go, off the transport's
/// thread.
///
/// Most of the calls for a small file are for its part, the sidecar and their names, in case it is cut; so they are
/// made when it is. On a disk, 5,000 small files take several times as long with a part for each.
final class SmallFileSink: BodySink, @unchecked Sendable {  // see BodySink
    /// What a process that is killed loses of a file, at most: as much as may be on its way from the network in any
    /// case.
    static let maximumSize: Int64 = 64 * 1024

    private let plan: FilePlan
    private let total: Int
    private var content: [UInt8] = []
    private var hasEnded = false

    /// `nil` where it is not known that the file is small.
    init?(_ plan: FilePlan) {
        guard let total = plan.total, total <= Self.maximumSize else { return nil }
        self.plan = plan
        self.total = Int(total)
        content.reserveCapacity(self.total)
    }

    deinit { abandon() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        // A transport that is not ours may bring more than the head has said.
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
        if !place.isKept { POSIXFile.synchronize(folder: plan.names.folder) }
        return StoredContent(place)
    }

    /// Makes the file without a part and returns where it is; `nil` where that cannot be done, or there is a part to be
    /// replaced.
    private func makeUnnamed() throws(NetworkError) -> FilePlace? {
        guard content.count == total, plan.isPartMissing || POSIXFile.status(plan.names.part) == nil,
            let file = UnnamedFile(in: plan.names.folder)
        else { return nil }
        let code = content.withUnsafeBytes { file.store($0, modified: plan.modified) }
        guard code == 0 else { throw .fileSystem(code, path: plan.names.destination) }
        var linkCode = Int32(0)
        do {
            return try FileMove.choosePlace(plan.names, onConflict: plan.policy, isTwin: isTwin) { path in
                linkCode = file.link(to: path)
                return linkCode
            }
        } catch {
            // A name that is taken is no obstacle to `.overwrite`, nor to a part that the file system has no links.
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
        // Where there is no room for it, a later attempt begins anew.
        try? makePart(isDescribed: true).abandon()
    }

    func discard() { hasEnded = true }

    /// The sink of a part with what has come so far.
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
