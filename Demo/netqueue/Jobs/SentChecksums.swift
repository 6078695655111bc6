import Dispatch
import Foundation
import NetworkQueueKit

/// Computes the checksums of the files that an upload has sent.
///
/// Each file is read again when it has been sent, so that nothing is read for an upload that fails, and the transfers
/// do not wait. A file that has changed since its upload began has no checksum, because it may not be what was sent.
final class SentChecksums: JobListener {
    private struct State {
        /// The files of running uploads, as they were when these began.
        var files: [RequestOperation.ID: BodyFile] = [:]
        /// The checksums by the names of the items; `nil` for a file that has changed or cannot be read.
        var checksums: [ByteText: NetworkRequest.Checksum?] = [:]
    }

    private let queue = DispatchQueue(label: "netqueue.checksums")
    private let state = Locked(State())

    func receive(_ event: JobEvent) {
        switch event {
        case .starting(let request, let id):
            let file = request.body?.file.flatMap { try? BodyFile($0) }
            state.withLock { $0.files[id] = file }
        case .finished(let operation, let wasCurrent, _):
            let file = state.withLock { $0.files.removeValue(forKey: operation.id) }
            // A file that the server has already was not sent.
            guard !wasCurrent, let url = operation.request.body?.file else { return }
            queue.async { [self] in
                var checksum = try? NetworkRequest.Checksum.sha256(contentsOf: url)
                if file == nil || file != (try? BodyFile(url)) { checksum = nil }
                let name = ByteText(operation.request.itemName)
                _ = state.withLock { [checksum] in $0.checksums.updateValue(checksum, forKey: name) }
            }
        case .failed(let operation, _, _): state.withLock { $0.files[operation.id] = nil }
        case .started, .head, .redirect, .challenge, .retry, .groupEnded: break
        }
    }

    /// Waits until the checksum of each file that has been sent is known; returns them by the names of the items.
    func all() async -> [ByteText: NetworkRequest.Checksum?] {
        await withCheckedContinuation { done in queue.async { done.resume() } }
        return state.withLock { $0.checksums }
    }
}
