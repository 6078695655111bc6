/// Lets content through to another sink, which gets to finish only if the check agrees.
final class CheckedSink: BodySink, @unchecked Sendable {  // see BodySink
    private let sink: any BodySink
    private var check: ContentCheck
    /// The file whose beginning was there before; it is read once more at the end.
    private let continuedPart: PartFile?

    init(_ sink: any BodySink, check: ContentCheck, continuing part: PartFile?) {
        self.sink = sink
        self.check = check
        continuedPart = part
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        if continuedPart == nil { try check.update(bytes) }
        return try sink.write(bytes)
    }

    func finish(_ report: @escaping @Sendable (Result<DeliveredContent, NetworkError>) -> Void) {
        guard let continuedPart else { return verify(report) }
        FileSink.queue.async { [self] in
            do throws(NetworkError) {
                try continuedPart.forEachChunk { bytes throws(NetworkError) in try check.update(bytes) }
            } catch {
                sink.discard()
                return report(.failure(error))
            }
            verify(report)
        }
    }

    func abandon() { sink.abandon() }
    func discard() { sink.discard() }

    private func verify(_ report: @escaping @Sendable (Result<DeliveredContent, NetworkError>) -> Void) {
        do {
            try check.verify()
            sink.finish(report)
        } catch {
            sink.discard()
            report(.failure(error))
        }
    }
}
