/// Receives the content of the download's own exchanges, and publishes the file once it is complete.
final class SplitSink: BodySink, @unchecked Sendable {  // see BodySink
    private let split: SplitDownload
    private let plan: FilePlan
    /// The share that the current exchange fetches; `nil` if there is none.
    var share: SplitDownload.Share?

    init(_ split: SplitDownload, _ share: SplitDownload.Share, _ plan: FilePlan) {
        self.split = split
        self.share = share
        self.plan = plan
    }

    func takeShare() -> SplitDownload.Share? { share.take() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        guard let share else { return .stop }
        return try split.write(bytes, of: share)
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
