/// Receives the content of the download's own exchanges, and publishes the file once it is complete.
final class SplitSink: BodySink, @unchecked Sendable {  // see BodySink
    private let split: SplitDownload
    private let plan: FilePlan
    /// The share that the current exchange fetches; `nil` if there is none.
    var share: SplitDownload.Share?
    /// The position in the content, if the first exchange delivers all of it.
    private var position: Int64?

    /// - Parameter readsAll: whether the first exchange delivers all of the content, from which only the missing bytes
    ///   are taken.
    init(_ split: SplitDownload, _ share: SplitDownload.Share, _ plan: FilePlan, readsAll: Bool = false) {
        self.split = split
        self.share = share
        self.plan = plan
        position = readsAll ? 0 : nil
    }

    /// Takes the share of the exchange that has ended.
    func takeShare() -> SplitDownload.Share? {
        position = nil
        return share.take()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        if position != nil { return try writeMissing(bytes) }
        guard let share else { return .stop }
        return try split.write(bytes, of: share)
    }

    /// Writes the bytes that are not stored. Nobody else fetches any, so that each share follows the one before it.
    private func writeMissing(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        var bytes = bytes[...]
        while let share, let start = position, !bytes.isEmpty {
            let end = start < share.start ? share.start : share.end
            let piece = bytes.prefix(Int(min(Int64(bytes.count), end - start)))
            if start >= share.start { _ = try split.write(UnsafeRawBufferPointer(rebasing: piece), of: share) }
            bytes = bytes.dropFirst(piece.count)
            let next = start + Int64(piece.count)
            position = next
            guard next == share.end else { continue }
            _ = split.end(share, isRanged: false)
            self.share = if case .fetch(let share) = split.next() { share } else { nil }
        }
        return share == nil ? .stop : .proceed
    }

    func finish() -> SinkCompletion {
        guard split.close() else { return .done(.failure(.cancelled)) }
        return FileSink(split.part, plan).finish()
    }

    func abandon() { split.abandon() }
    func discard() { split.discard() }
}

/// Receives the content of a helper's exchange.
final class HelperSink: BodySink {
    private let split: SplitDownload
    private let share: SplitDownload.Share

    init(_ split: SplitDownload, _ share: SplitDownload.Share) {
        self.split = split
        self.share = share
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        try split.write(bytes, of: share)
    }

    func finish() -> SinkCompletion { .done(.success(StoredContent())) }
    func abandon() {}
    func discard() {}
}
