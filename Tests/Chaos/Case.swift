import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// An operation with the content that it must bring.
final class Case: Sendable {
    enum Place: Sendable { case memory, file(URL), sink(VerifyingSink), server(@Sendable () -> Bool), none }

    let operation: RequestOperation
    private let content: GeneratedContent
    private let place: Place
    /// How often the completion handler was called; `nil` without a handler.
    let completions: Guarded<Int>?

    init(_ operation: RequestOperation, _ content: GeneratedContent, _ place: Place, completions: Guarded<Int>?) {
        (self.operation, self.content, self.place, self.completions) = (operation, content, place, completions)
    }

    /// The fault of an operation that has ended; `nil` if there is none.
    var fault: String? {
        guard operation.status.isTerminal, operation.isFinished else { return "has not ended" }
        if let fraction = operation.progress.fractionCompleted, !(0...1).contains(fraction) {
            return "is \(fraction) done"
        }
        let isFinished = operation.status == .finished
        if isFinished, let size = operation.request.expectedDownloadSize, size != content.size {
            return "has not the expected size"
        }
        if case .file(let file) = place {
            let isThere = FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
            if !isThere { return isFinished ? "has no file" : nil }
            // A file has its name only when it is whole.
            return (try? content.matches(contentsOf: file)) == true ? nil : "has a file with wrong content"
        }
        guard isFinished else { return nil }
        switch place {
        case .memory:
            return operation.data.map(Array.init) == content.bytes(in: 0..<content.size) ? nil : "has wrong data"
        case .sink(let sink): return sink.isComplete ? nil : "has given its sink wrong content"
        case .server(let isStored):
            let sent = operation.progress.upload
            return isStored() ? sent.transferred == content.size ? nil : "has sent \(sent)" : "is not on the server"
        case .file, .none: return nil
        }
    }
}

/// A sink that compares what it gets, sometimes slowly.
final class VerifyingSink: DownloadSink {
    private let content: GeneratedContent
    private let verifier: Guarded<GeneratedContent.Verifier>
    private let isSlow: Bool

    init(_ content: GeneratedContent, isSlow: Bool) {
        (self.content, self.isSlow) = (content, isSlow)
        verifier = Guarded(content.verifier())
    }

    func begin(_ head: ResponseHead) async throws { verifier.withLock { $0 = content.verifier() } }

    func write(_ chunk: Data) async throws {
        if isSlow { try? await Task.sleep(for: .milliseconds(1)) }
        verifier.withLock { $0.update(chunk) }
    }

    var isComplete: Bool { verifier.withLock { $0.isComplete } }
}
