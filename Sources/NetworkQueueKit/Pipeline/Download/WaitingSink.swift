import Foundation
import Synchronization

/// Stands for a file for which no descriptor was free when its content began: holds the exchange, and makes the file as soon as it can.
final class WaitingSink: BodySink, @unchecked Sendable {  // see BodySink
    /// So much may come from a transport that cannot hold an exchange.
    private static let capacity = 16 << 20

    private let plan: FilePlan
    private let wait: DescriptorWait
    private let resume: @Sendable () -> Bool
    private var file: FileSink?
    /// What has come before the file.
    private var content: [UInt8] = []
    /// Whether the exchange is held until the next try.
    private let isHolding = Atomic(false)

    /// - Parameter resume: lets the exchange go on; returns `false` where it has to be called again.
    init(_ plan: FilePlan, _ wait: DescriptorWait, resume: @escaping @Sendable () -> Bool) {
        self.plan = plan
        self.wait = wait
        self.resume = resume
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        do throws(NetworkError) {
            return try opened().write(bytes)
        } catch {
            guard file == nil, error.isDescriptorShortage, content.count + bytes.count <= Self.capacity,
                wait.isWorthwhile
            else { throw error }
        }
        content.append(contentsOf: bytes)
        if !isHolding.exchange(true, ordering: .relaxed) { resumeLater() }
        return .pause
    }

    func finish() -> Delivery {
        .pending { [self] report in finish(report) }
    }

    private func finish(_ report: @escaping Delivery.Report) {
        let outcome = Result { () throws(NetworkError) in try opened() }
        switch outcome {
        case .success(let file): file.finish().tell(report)
        case .failure(let error):
            guard error.isDescriptorShortage, wait.isWorthwhile else { return report(.failure(error)) }
            wait.tryLater { [self] in finish(report) }
        }
    }

    func abandon() { file?.abandon() }

    func discard() { file?.discard() }

    /// The file, with all that has come before.
    private func opened() throws(NetworkError) -> FileSink {
        if let file { return file }
        let opened = try FileSink(startingOver: nil, plan)
        file = opened
        wait.end()
        let early = content
        content = []
        let outcome = early.withUnsafeBytes { bytes in
            Result { () throws(NetworkError) in try opened.write(bytes) }
        }
        _ = try outcome.get()
        return opened
    }

    private func resumeLater() {
        wait.tryLater { [weak self] in
            guard let self else { return }
            // Before: it may be held again at once.
            isHolding.store(false, ordering: .relaxed)
            if !resume(), !isHolding.exchange(true, ordering: .relaxed) { resumeLater() }
        }
    }
}
