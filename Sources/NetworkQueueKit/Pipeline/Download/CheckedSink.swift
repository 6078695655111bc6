/// Passes content on to another sink, which finishes only if the check succeeds.
final class CheckedSink: BodySink, @unchecked Sendable {  // see BodySink
    private let sink: any BodySink
    private var check: ContentCheck
    /// The part that this download continues. To hash all of it, the file is read again at the end.
    private let continuedPart: PartFile?

    /// - Parameters:
    ///   - part: the file whose beginning an earlier attempt wrote.
    ///   - offset: the number of bytes it already holds.
    init(_ sink: any BodySink, check: ContentCheck, continuing part: PartFile?, from offset: Int64) {
        self.sink = sink
        self.check = check
        continuedPart = check.isOfBytes ? part : nil
        if !check.isOfBytes { self.check.skip(offset) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        if continuedPart == nil { try check.update(bytes) }
        return try sink.write(bytes)
    }

    func finish() -> SinkCompletion {
        guard let continuedPart else { return finishIfVerified() }
        return .pending { [self] report in
            FileSink.queue.async { [self] in
                do throws(NetworkError) {
                    try continuedPart.forEachChunk { bytes throws(NetworkError) in try check.update(bytes) }
                } catch {
                    sink.discard()
                    return report(.failure(error))
                }
                finishIfVerified().tell(report)
            }
        }
    }

    func abandon() { sink.abandon() }
    func discard() { sink.discard() }

    private func finishIfVerified() -> SinkCompletion {
        do {
            try check.verify()
        } catch {
            sink.discard()
            return .done(.failure(error))
        }
        return sink.finish()
    }
}
